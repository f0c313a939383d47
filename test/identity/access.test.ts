import { describe, expect, test } from 'vitest'
import { describeStores } from '../store/stores.ts'

const wallet = `0x${'a'.repeat(40)}` as const
const minute = 60_000
const later = () => Date.now() + minute

describeStores('access', fresh => {
  test('of processes that create the next key concurrently, one succeeds', async () => {
    const [one, other] = await (await fresh()).openRivals()
    const key = (kid: string) => ({ number: 1, kid, publicJwk: { kty: 'EC' }, sealed: 's' })
    await Promise.all([one.addTokenKey(key('a')), other.addTokenKey(key('b'))])
    const keys = await one.tokenKeys()
    expect(keys).toHaveLength(1)
    expect(await other.tokenKeys()).toEqual(keys)
    expect(keys).toMatchObject([{ number: 1, publicJwk: { kty: 'EC' }, madeAt: expect.any(Number) }])
  })

  test('a revocation is permanent, and the wider of two revocations applies', async () => {
    const store = await (await fresh()).open()
    const [soon, far] = [later(), later() + minute]
    await store.revoke({ subject: 's', before: 20, until: far })
    await store.revoke({ subject: 's', before: 10, until: soon })
    expect(await store.revocation('s')).toMatchObject({ before: 20, until: far })
    expect(await store.revocation('other')).toBeUndefined()
    await store.revoke({ subject: 'over', before: 10, until: Date.now() - 1 })
    const since = await store.revocationsSince(0)
    expect(since.map(it => it.subject)).toEqual(['s'])
    expect(await store.revocationsSince((since[0]?.at ?? 0) + 1)).toEqual([])
  })

  test('a code is used once and claimed once, also under concurrent requests', async () => {
    const [one, other] = await (await fresh()).openRivals()
    expect(await one.claimCode('c')).toBe('pending')
    const spends = await Promise.all(
      [one, other, one, other].map(it => it.spendCode({ code: 'c', wallet, claimable: true, until: later() })),
    )
    expect(spends.filter(Boolean)).toHaveLength(1)
    const claims = await Promise.all([one, other, one].map(it => it.claimCode('c')))
    expect(claims.filter(it => it !== 'gone')).toEqual([{ wallet }])
  })

  test('a code that may not be claimed, or that has expired, yields no token', async () => {
    const store = await (await fresh()).open()
    await store.spendCode({ code: 'kept', wallet, claimable: false, until: later() })
    await store.spendCode({ code: 'old', wallet, claimable: true, until: Date.now() - 1 })
    expect([await store.claimCode('kept'), await store.claimCode('old')]).toEqual(['gone', 'gone'])
  })

  describe('the key mode of a wallet', () => {
    test('becomes closed at the first fresh proof, and stays open when its owner has opened it', async () => {
      const store = await (await fresh()).open()
      expect(await store.keyMode(wallet)).toBe('fresh')
      expect([await store.closeKeyMode(wallet), await store.keyMode(wallet)]).toEqual([false, 'closed'])
      await store.setKeyMode(wallet, 'open')
      expect([await store.closeKeyMode(wallet), await store.keyMode(wallet)]).toEqual([false, 'open'])
      const other = `0x${'b'.repeat(40)}` as const
      expect(await store.lockKeyMode(other)).toBe('fresh')
      expect([await store.closeKeyMode(other), await store.lockKeyMode(other)]).toEqual([true, 'closed'])
    })

    test('is locked while agents are counted, so that none is added in between', async () => {
      const [one, other] = await (await fresh()).openRivals()
      const agent = (key: string) => ({
        ...{ key, chainId: 97, handle: key, owner: wallet, wallet, name: key, description: '' },
        ...{ endpointUrl: undefined, viaGateway: true, card: {} },
      })
      const add = (store: typeof one, key: string) =>
        store.atomically(async tables => {
          await tables.lockKeyMode(wallet)
          if ((await tables.countKeyRegistrations({ wallet }, minute)) >= 2) return
          await tables.addAgent(agent(key))
          await tables.addKeyRegistration({ agentKey: key, wallet, source: '192.0.2.1' })
        })
      await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((key, at) => add(at % 2 ? one : other, key)))
      expect(await one.countKeyRegistrations({ wallet })).toBe(2)
      expect(await one.countKeyRegistrations({ source: '192.0.2.1' }, minute)).toBe(2)
      expect(await one.countKeyRegistrations({ source: '192.0.2.2' })).toBe(0)
      const [first = '', second = ''] = await one.unverifiedAgents(['a', 'b', 'c', 'd', 'e', 'f'])
      expect([await one.confirmAgent(first), await other.confirmAgent(first)]).toEqual([true, false])
      expect(await other.unverifiedAgents([first, second])).toEqual([second])
      expect(await other.unverifiedAgents([])).toEqual([])
    })
  })
})
