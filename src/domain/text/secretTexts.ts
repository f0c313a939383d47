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
export const redactSecrets = (text: string): string =>
  secretTexts.reduce((rest, [looks, instead]) => rest.replace(looks, instead), text)
