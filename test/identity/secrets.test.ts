import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { registrationMessage } from '../../src/domain/net/wireTexts.ts'
import { get, post } from '../http/wire.ts'
import { startTestService, type TestService } from '../service.ts'
import { begin, messageOf } from './wallets.ts'

// A database that fails for one wallet with errors that contain the query values, as those of drivers do. Its tables still
// exist.
const privateKey = generatePrivateKey()
const account = privateKeyToAccount(privateKey)
const secrets: string[] = [privateKey.slice(2)]
let market: TestService
let isBroken = false
let logged = ''
beforeAll(async () => {
  vi.spyOn(process.stderr, 'write').mockImplementation(chunk => {
    logged += String(chunk)
    return true
  })
  const broken = () => Promise.reject(new Error(`insert failed: ${secrets.join(' ')} {"signature":"${secrets.at(-1)}"}`))
  market = await startTestService({
    env: { LOG_LEVEL: 'debug' },
    wrap: ({ store, chain }) => ({
      chain,
      store: {
        ...store,
        keyMode: wallet => (isBroken ? broken() : store.keyMode(wallet)),
        claimCode: code => (isBroken ? broken() : store.claimCode(code)),
        revoke: of => (isBroken ? broken() : store.revoke(of)),
      },
    }),
  })
})
afterAll(async () => {
  vi.restoreAllMocks()
  await market.stop()
})

test('no signature, token, code or key is in a log, a problem, an event, an agent record or the files of the database', async () => {
  const { url, dir } = market
  const { code } = await begin(url)
  const approval = await account.signMessage({ message: await messageOf(url, code, account.address) })
  const bare = await account.signMessage({ message: registrationMessage })
  secrets.push(code, approval.slice(2), bare.slice(2))
  const body = { handle: 'canary', user_id: account.address, message: registrationMessage, signature: bare }
  const registered = await post(url, '/agents/register', body)
  const approved = await post(url, '/v1/approve', { code, address: account.address, signature: approval })
  const token = /"token":"([^"]+)"/.exec(approved.text)?.[1] ?? ''
  secrets.push(token)
  expect([registered.status, approved.status, token.length > 100]).toEqual([200, 200, true])
  const asked = await post(url, '/invoke', { message: 'What time is it in Tokyo?' }, token)

  isBroken = true
  const refused = [
    await post(url, '/agents/register', body),
    await get(url, `/v1/status?code=${code}`),
    await post(url, '/v1/revoke', {}, token),
  ]
  isBroken = false
  expect(refused.map(it => it.status)).toEqual([500, 500, 500])
  refused.push(
    await post(url, '/agents/register', body),
    await post(url, '/agents/register', { ...body, signature: `${bare}00` }),
    await post(url, '/v1/approve', { code, address: account.address, signature: approval }),
    await post(url, '/v1/login', { address: account.address, signature: bare }),
    await get(url, `/v1/approve?code=${code.replace(/.$/, 'x')}&address=${account.address}`),
    await get(url, '/v1/wallets/me', `${token}x`),
  )
  expect(refused.map(it => it.status >= 400)).not.toContain(false)

  const { store } = market.service.world.deps
  const runs = await store.runs({ user: `0x${account.address.slice(2).toLowerCase()}`, limit: 10, offset: 0 })
  const events = await Promise.all(runs.map(it => store.runEvents(it.id, 0, 100)))
  const shown = (await get(url, '/agents/canary', token)).text
  expect([events.flat().length > 0, logged.includes('insert failed')]).toEqual([true, true])
  const texts = { logged, refused: refused.map(it => it.text).join(), asked: asked.text, events: JSON.stringify(events), shown }
  for (const [place, text] of Object.entries(texts))
    for (const secret of secrets) expect([place, text.includes(secret)]).toEqual([place, false])

  const files = (await readdir(dir)).filter(name => name.startsWith('market.db'))
  for (const name of files) {
    const bytes = (await readFile(join(dir, name))).toString('latin1')
    for (const secret of secrets) expect([name, bytes.includes(secret)]).toEqual([name, false])
  }
  expect(files).toContain('market.db')
})
