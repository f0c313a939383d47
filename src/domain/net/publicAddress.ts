import { BlockList, isIP, isIPv6 } from 'node:net'
import { Problem } from '../problem.ts'

// Addresses that the service may call for strangers: public internet addresses only (RFC 6890 and its registries).

const closed4 = new BlockList()
for (const range of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]) {
  const [net = '', bits] = range.split('/')
  closed4.addSubnet(net, Number(bits), 'ipv4')
}

// Only global unicast of IPv6 is allowed, which excludes NAT64, mapped, unique local, link-local and multicast addresses.
const open6 = new BlockList()
open6.addSubnet('2000::', 3, 'ipv6')
/** Protocol assignments with Teredo, documentation, and 6to4, which hides an IPv4 address. */
const closed6 = new BlockList()
for (const [net, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  closed6.addSubnet(net, bits, 'ipv6')

export const isPublicAddress = (ip: string): boolean => {
  if (isIPv6(ip)) return open6.check(ip, 'ipv6') && !closed6.check(ip, 'ipv6')
  return isIP(ip) === 4 && !closed4.check(ip, 'ipv4')
}

/** Host names of this machine or a local network, however they resolve. */
const closedName = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|arpa)\.?$/i

const maxUrlChars = 2048
const webPorts = new Set(['', '80', '443'])
const minOtherPort = 1024
/** Well-known services above 1023 that a POST could harm: databases, caches, queues, orchestration, mail, X11, IRC. */
const otherServices = new Set(
  [1433, 1521, 2049, 2181, 2375, 2376, 2379, 3306, 3389, 4190, 5432, 5672, 5900, 5984, 6000, 6379, 6443, 6667, 9042, 9092].concat(
    [9200, 9300, 10250, 11211, 27017],
  ),
)

const isOddPort = (port: string) => !webPorts.has(port) && (Number(port) < minOtherPort || otherServices.has(Number(port)))

/** The host of a URL, without the brackets of IPv6. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

const ruleBroken = (url: URL, allowsPrivate: boolean): string | undefined => {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'must begin with http:// or https://'
  if (url.username || url.password) return 'must not contain a user or password'
  if (url.hash) return 'must not have a fragment'
  if (isOddPort(url.port)) return 'names a port that is not used for HTTP'
  if (allowsPrivate) return undefined
  const host = hostOf(url)
  const isOpen = isIP(host) ? isPublicAddress(host) : host.includes('.') && !closedName.test(host)
  return isOpen ? undefined : 'must name a host on the public internet'
}

/**
 * Checks the URL in an input, such as an agent's endpoint, by its text alone; the name is resolved at each call. The URL parser
 * normalises every spelling of an IPv4 address (hexadecimal, octal, short, one number).
 * @throws Problem endpoint-not-allowed
 */
export const checkEndpoint = (
  text: string,
  { allowsPrivate, member = 'endpoint_url' }: { allowsPrivate: boolean; member?: string },
): URL => {
  const url = text.length <= maxUrlChars && URL.canParse(text) ? new URL(text) : undefined
  const broken = url ? ruleBroken(url, allowsPrivate) : `must be an address of at most ${maxUrlChars} characters`
  if (!url || broken) throw new Problem('endpoint-not-allowed', `${member} ${broken}.`, `/${member}`)
  return url
}
