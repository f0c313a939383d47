/** Passkeys need a name in the address, so a page that was opened by its number leads to the same page by its name. */
export const atName = (url: string): string | undefined =>
  new URL(url).hostname === '127.0.0.1' ? url.replace('//127.0.0.1', '//localhost') : undefined
