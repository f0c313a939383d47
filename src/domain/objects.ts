/** Whether a value is an object with members: not null and no list. The page uses it too, so this file imports nothing. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
