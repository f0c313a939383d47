import { BlockList, isIP } from 'node:net'
import { isObject } from '../domain/json.ts'

/** The trusted proxies of this service, and the header in which they name the client address. */
export type TrustedProxy = { header: string; addresses: readonly string[] }
/** The connection and the headers of a request. */
export type Sent = { env: unknown; req: { header(name: string): string | undefined } }
export type SourceOf = (c: Sent) => string | undefined

/** Without a schema library, because it is read for every poll. */
const addressOf = (env: unknown): string => {
  const incoming = isObject(env) ? env.incoming : undefined
  const socket = isObject(incoming) ? incoming.socket : undefined
  const address = isObject(socket) ? socket.remoteAddress : undefined
  return typeof address === 'string' ? address : ''
}

const isOwn = (address: string) => address === '::1' || address.startsWith('127.')

/**
 * Returns a function that reads the client address of a request: an IPv4 address, or the /64 prefix of an IPv6 address. One
 * customer usually gets a whole /64. It returns undefined for this machine's own requests. The header of a trusted proxy
 * replaces the proxy's own address; the same header from anybody else is ignored.
 */
export const createSourceOf = (proxy?: TrustedProxy): SourceOf => {
  const isTrusted = proxy ? createMatcher(proxy.addresses) : () => false
  return c => {
    const peer = toPlain(addressOf(c.env))
    if (peer === '') return undefined
    const named = proxy && isTrusted(peer) ? (c.req.header(proxy.header) ?? '') : ''
    if (named === '') return isOwn(peer) ? undefined : toSource(peer)
    // Each proxy appends the address that it saw. The last address that is not a trusted proxy is the client.
    const hops = named.split(',').map(toPlain)
    const client = hops.findLast(it => !isTrusted(it)) ?? hops[0] ?? ''
    return toSource(isIP(client) ? client : peer)
  }
}

/** @param addresses single addresses, or networks in CIDR notation such as `10.0.0.0/8` */
const createMatcher = (addresses: readonly string[]): ((address: string) => boolean) => {
  const list = new BlockList()
  for (const it of addresses) {
    const [address = '', bits] = it.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return address => {
    const family = isIP(address)
    return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4')
  }
}

const isPlain = /^[\d.]+$/

/** Removes a port, brackets, a zone id and the `::ffff:` prefix of an IPv4-mapped address. */
const toPlain = (text: string): string =>
  isPlain.test(text)
    ? text
    : text
        .trim()
        .replace(/^\[([^\]]*)\].*$/, '$1')
        .replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
        .replace(/%.*$/, '')
        .replace(/^::ffff:(?=\d+\.)/i, '')

const toSource = (address: string): string => (address.includes(':') ? toGroups(address).slice(0, 4).join(':') : address)

/** The networks of an IPv6 source that customers and their sites usually get: a /56 and a /48. Undefined for IPv4. */
export const networksOf = (source: string): { site: string; network: string } | undefined => {
  const [first, second, third, fourth] = source.split(':')
  if (fourth === undefined) return undefined
  const network = `${first}:${second}:${third}`
  return { network: `${network}::/48`, site: `${network}:${fourth.padStart(4, '0').slice(0, 2)}00::/56` }
}

/** The eight groups of an IPv6 address, lower case, without leading zeros, with `::` expanded. */
const toGroups = (ip: string): string[] => {
  const [head = '', tail = ''] = ip.toLowerCase().split('::')
  const [before, after] = [head, tail].map(it => (it === '' ? [] : it.split(':')))
  const left = 8 - (before?.length ?? 0) - (after?.length ?? 0)
  const groups = [...(before ?? []), ...Array.from({ length: Math.max(left, 0) }, () => '0'), ...(after ?? [])]
  return groups.map(it => it.replace(/^0+(?=.)/, ''))
}
