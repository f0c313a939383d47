/** The line of a violation unless something holds. */
export const unless = (holds: boolean, violation: string): string[] => (holds ? [] : [violation])
