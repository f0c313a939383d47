import { expect, test } from 'vitest'
import { checkEndpoint, isPublicAddress } from '../../src/domain/net/publicAddress.ts'

const open = { allowsPrivate: false }
const refusal = { type: 'endpoint-not-allowed', pointer: '/endpoint_url' }
const check = (text: string, how = open) => {
  try {
    return checkEndpoint(text, how).href
  } catch (error) {
    return error
  }
}

const long = `https://agent.example/${'a'.repeat(4096)}`

test.each([
  ...['', 'agent.example', '//agent.example', '/invoke', 'https://', 'http://[::1', 'https:agent example'],
  ...[
    'file:///etc/passwd',
    'gopher://agent.example',
    'data:text/plain,hi',
    'ftp://agent.example',
    'javascript:0',
    'ws://a.example',
  ],
  ...['https://user@agent.example', 'https://user:secret@agent.example', 'https://:secret@agent.example'],
  ...['https://agent.example/#part', 'https://agent.example:22', 'http://agent.example:25', 'http://agent.example:6379'],
  ...['http://agent.example:1', 'http://agent.example:5432', 'http://agent.example:11211', 'http://agent.example:10250', long],
])('6.3 row 27: an address that is not HTTP is refused, also where private ones are allowed: %.60s', text => {
  expect(check(text)).toMatchObject(refusal)
  expect(check(text, { allowsPrivate: true })).toMatchObject(refusal)
})

test.each([
  ...['127.0.0.1', '0.0.0.0', '[::1]', '[::]', '[::ffff:169.254.169.254]', '0x7f000001', '2130706433', '017700000001', '127.1'],
  ...['localhost', 'localhost.', 'LOCALHOST', 'a.localhost', 'metadata.internal', 'metadata.google.internal', 'printer.local'],
  ...['intranet', 'db', 'host.lan', '1.0.0.127.in-addr.arpa', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.127.255.255'],
  ...['169.254.169.254', '172.16.0.1', '172.31.255.255', '192.168.1.1', '198.18.0.1', '198.19.255.255', '192.0.0.8', '224.0.0.1'],
  ...['255.255.255.255', '240.0.0.1', '[fc00::1]', '[fdff::1]', '[fe80::1]', '[febf::1]', '[ff02::1]', '[64:ff9b::7f00:1]'],
  ...['[64:ff9b::8.8.8.8]', '[2002:7f00:1::]', '[2002:c0a8:101::1]', '[2001:0:4136:e378::1]', '[2001:db8::1]', '[::8.8.8.8]'],
  ...['[::ffff:8.8.8.8]', '[fec0::1]', '[100::1]', '①②⑦.0.0.1', '127。0。0。1', '%31%32%37.0.0.1'],
])('6.3 row 27: a host outside the public internet is refused: %s', host => {
  for (const scheme of ['http', 'https']) expect(check(`${scheme}://${host}/invoke`)).toMatchObject(refusal)
})

test.each([
  ['https://agent.example', 'https://agent.example/'],
  ['http://agent.example:80/base', 'http://agent.example/base'],
  ['https://agent.example:8443/a?b=c', 'https://agent.example:8443/a?b=c'],
  ['HTTPS://Agent.Example:443', 'https://agent.example/'],
  ['http://8.8.8.8:8000', 'http://8.8.8.8:8000/'],
  ['http://[2606:4700::1]/', 'http://[2606:4700::1]/'],
])('an address of the public internet is accepted: %s', (text, href) => {
  expect(check(text)).toBe(href)
})

test('where private addresses are allowed, agents may listen on the machine of the service', () => {
  for (const host of ['127.0.0.1:38111', 'localhost:8000', '[::1]:9000', '10.1.2.3', 'agent'])
    expect(check(`http://${host}/`, { allowsPrivate: true })).toBe(`http://${host}/`)
})

test('text that is no address is not public, and the neighbours of reserved ranges are', () => {
  for (const ip of ['', 'agent.example', '1.2.3', '::g', '127.0.0.1 ', '1.2.3.4.5']) expect(isPublicAddress(ip)).toBe(false)
  for (const ip of [
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
  ])
    expect([ip, isPublicAddress(ip)]).toEqual([ip, true])
  for (const ip of [
    '172.15.255.255',
    '172.32.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2003::1',
    '2001:4860::8888',
  ])
    expect([ip, isPublicAddress(ip)]).toEqual([ip, true])
})
