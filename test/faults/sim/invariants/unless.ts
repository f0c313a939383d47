/** Returns the violation unless the condition holds. */
export const unless = (holds: boolean, violation: string): string[] => (holds ? [] : [violation])
