const loopback = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** Whether an address is on the user's own machine, where a program may listen at any port (RFC 8252, section 7.3). */
const isLoopback = ({ protocol, hostname }: URL): boolean => protocol === 'http:' && loopback.has(hostname)

/**
 * Whether codes may be sent to an address: https, this machine, or a scheme of the program's own, which has a dot (RFC 8252,
 * section 7.1). Addresses with a fragment or a password are refused.
 */
export const isAllowedRedirect = (text: string): boolean => {
  if (!URL.canParse(text) || /[\s\\<>"]/.test(text)) return false
  const url = new URL(text)
  if (text.includes('#') || url.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || isLoopback(url) || /^[a-z][a-z0-9+-]*\.[a-z0-9+.-]+:$/.test(url.protocol)
}

export const isSameRedirect = (known: string, asked: string): boolean => {
  if (known === asked) return true
  if (!isAllowedRedirect(asked)) return false
  const [one, other] = [new URL(known), new URL(asked)]
  if (!isLoopback(one) || !isLoopback(other)) return false
  return one.hostname === other.hostname && one.pathname === other.pathname && one.search === other.search
}

/** What a person is shown of a redirect address: its host, or the scheme of an installed program. */
export const toRedirectHost = (text: string): string => {
  const url = new URL(text)
  return url.host === '' ? url.protocol : url.host
}

export const withAnswer = (redirectUri: string, answer: Record<string, string | undefined>): string => {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries(answer)) if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}
