/** The host of a listening address as a URL names it. Clients cannot connect to a wildcard address, so it becomes localhost. */
export const toUrlHost = (host: string): string => {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
