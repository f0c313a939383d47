import { expect, test } from 'vitest'
import { configFile, readSettings } from '../../src/cli/market/settings.ts'

test('flags override variables, variables override the file, and a token overrides a key', async () => {
  const read = (given: Record<string, string>, url?: string) =>
    readSettings({ XDG_CONFIG_HOME: '/nowhere', ...given }, { url }, 'http://127.0.0.1:8001')
  expect(await read({})).toMatchObject({ url: 'http://127.0.0.1:8001', authUrl: 'http://127.0.0.1:8001', chainId: undefined })
  const variables = {
    SERVICE_ENDPOINT: 'http://a/',
    AUTH_URL: 'http://b',
    GATEWAY_URL: 'http://c',
    AGENT_REGISTRATION_CHAIN_ID: '56',
  }
  expect(await read(variables)).toMatchObject({ url: 'http://a', authUrl: 'http://b', gatewayUrl: 'http://c', chainId: 56 })
  expect(await read(variables, 'http://flag')).toMatchObject({ url: 'http://flag', authUrl: 'http://b' })
  const key = { SERVICE_WALLET_PRIVATE_KEY: '0x01' }
  expect(await read(key)).toMatchObject({ token: undefined, privateKey: '0x01' })
  expect(await read({ ...key, SERVICE_PROXY_AUTH: 'a.b.c' })).toMatchObject({ token: 'a.b.c', privateKey: undefined })
  await expect(read({ AGENT_REGISTRATION_CHAIN_ID: 'x' })).rejects.toThrow('must be a chain id')
})

test('the configuration is in the standard configuration directory of each system', () => {
  expect(configFile({ HOME: '/home/u' }, 'linux')).toBe('/home/u/.config/agent-marketplace/config.json')
  expect(configFile({ HOME: '/home/u', XDG_CONFIG_HOME: '/x' }, 'linux')).toBe('/x/agent-marketplace/config.json')
  expect(configFile({ HOME: '/Users/u' }, 'darwin')).toBe('/Users/u/Library/Application Support/agent-marketplace/config.json')
  expect(configFile({ APPDATA: '/data' }, 'win32')).toBe('/data/agent-marketplace/config.json')
})
