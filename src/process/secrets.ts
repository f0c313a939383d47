// Member names that mark a secret. `data` and `raw` hold calls and signed transactions.
const secretName =
  /token|signature|authori[sz]ation|cookie|password|secret|sealed|(?:private|api|master).?key|^(?:data|raw|jwt)$/i

/** Patterns of secrets in text: RFC 7519 tokens, RFC 6750 headers, provider keys, passwords in URLs. */
const secretTexts: [looks: RegExp, instead: string][] = [
  [/\beyJ[\w-]{5,4096}\.[\w-]{1,4096}\.[\w-]{0,4096}/g, '[token]'],
  [/\b(bearer|basic) [\w.~+/=-]{8,8192}/gi, '$1 [token]'],
  [/\bagentsecret_[0-9a-f]{8,256}/g, '[key]'],
  [/\bsk-[\w-]{8,256}/g, '[key]'],
  [/:\/\/[^\s/@:"\\]{0,256}:[^\s/@"\\]{1,256}@/g, '://[password]@'],
  // A key looks like a hash. The first digits of both are kept, which are enough to find a hash.
  [/\b(0x)?([0-9a-f]{8})[0-9a-f]{56,}\b/gi, '$1$2…'],
]

/** Removes secrets from a text, as far as a pattern recognises them. */
export const cutSecrets = (text: string): string =>
  secretTexts.reduce((rest, [looks, instead]) => rest.replace(looks, instead), text)

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
