/** A count with its unit: `1 page`, `3 pages`. */
export const toCounted = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`
