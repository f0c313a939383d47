import { BlockList, isIP } from 'node:net'
import type { Context } from 'hono'
import { z } from 'zod'

/** The proxies that this service believes, and the header in which they name the client. */
export type TrustedProxy = { header: string; addresses: readonly string[] }
export type SourceOf = (c: Context) => string | undefined

const connection = z.object({ incoming: z.object({ socket: z.object({ remoteAddress: z.string() }) }) })

const isOwn = (address: string) => address === '::1' || address.startsWith('127.')

/**
 * Where a request comes from: an IPv4 address, or the /64 of an IPv6 one, which is what one customer gets. Undefined for this
 * machine's own requests. What a trusted proxy names counts instead of its own address; nobody else's header is read.
 */
export const createSourceOf = (proxy?: TrustedProxy): SourceOf => {
  const isTrusted = proxy ? createMatcher(proxy.addresses) : () => false
  return c => {
    const peer = toPlain(connection.safeParse(c.env).data?.incoming.socket.remoteAddress ?? '')
    if (peer === '') return undefined
    const named = proxy && isTrusted(peer) ? (c.req.header(proxy.header) ?? '') : ''
    if (named === '') return isOwn(peer) ? undefined : toSource(peer)
    // Each proxy adds the address that it saw at the end: the last one that is no proxy of ours is the client.
    const hops = named.split(',').map(toPlain)
    const client = hops.findLast(it => !isTrusted(it)) ?? hops[0] ?? ''
    return toSource(isIP(client) ? client : peer)
  }
}

/** @param addresses single ones, or networks as `10.0.0.0/8` */
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

/** Without a port, brackets, a zone, or the form of an IPv4 address in IPv6. */
const toPlain = (text: string): string =>
  text
    .trim()
    .replace(/^\[([^\]]*)\].*$/, '$1')
    .replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
    .replace(/%.*$/, '')
    .replace(/^::ffff:(?=\d+\.)/i, '')

const toSource = (address: string): string => (address.includes(':') ? toGroups(address).slice(0, 4).join(':') : address)

/** The eight groups of an IPv6 address, with those that `::` stands for, each in one spelling. */
const toGroups = (ip: string): string[] => {
  const [head = '', tail = ''] = ip.toLowerCase().split('::')
  const [before, after] = [head, tail].map(it => (it === '' ? [] : it.split(':')))
  const left = 8 - (before?.length ?? 0) - (after?.length ?? 0)
  const groups = [...(before ?? []), ...Array.from({ length: Math.max(left, 0) }, () => '0'), ...(after ?? [])]
  return groups.map(it => it.replace(/^0+(?=.)/, ''))
}
