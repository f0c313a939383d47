// Member names that mark a secret. `data` and `raw` hold calls and signed transactions.
const secretName =
  /token|signature|authori[sz]ation|cookie|password|secret|sealed|(?:private|api|master).?key|^(?:data|raw|jwt)$/i

/** Deeper members are left out of a log. */
const deepest = 8

/** Copies a value without members whose name marks a secret. Of an error it keeps name, message and stack. */
export const withoutSecrets = (value: unknown, left = deepest): unknown => {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Error) return { type: value.name, message: value.message, stack: value.stack }
  if (left === 0) return undefined
  if (Array.isArray(value)) return value.map(it => withoutSecrets(it, left - 1))
  return membersWithoutSecrets(value, left)
}

/** Copies an object without members with secret names, and with secrets removed from all texts. */
export const membersWithoutSecrets = (value: object, left = deepest): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(value).flatMap(([name, it]) => (secretName.test(name) ? [] : [[name, withoutSecrets(it, left - 1)]])),
  )
