/** Returns the host of an http or https URL; undefined for any other URL, which must not be opened. */
export const hostOf = (url: string): string | undefined => {
  if (!URL.canParse(url)) return undefined
  const { protocol, host } = new URL(url)
  return protocol === 'https:' || protocol === 'http:' ? host : undefined
}
