/** The host of an address of the web; undefined for every other address, which nobody should open from here. */
export const hostOf = (url: string): string | undefined => {
  if (!URL.canParse(url)) return undefined
  const { protocol, host } = new URL(url)
  return protocol === 'https:' || protocol === 'http:' ? host : undefined
}
