import { afterAll, beforeAll, expect, test } from 'vitest'
import { scopes } from '../../../src/domain/access/scopes.ts'
import type { Route } from '../../../src/http/route.ts'
import { routes } from '../../assembled.ts'
import { send } from '../../http/wire.ts'
import { startTestService, type TestService, type User } from '../../service.ts'
import { createProgram, letIn } from './program.ts'

let market: TestService
let ada: User
const tokens = new Map<string, string>()
beforeAll(async () => {
  market = await startTestService({ env: { LOG_LEVEL: 'silent' } })
  ada = await market.user('ada')
  const program = createProgram(market.url)
  for (const scope of scopes) {
    const { access_token } = await letIn(program, ada.token, { scope, resource: market.url })
    tokens.set(scope, access_token)
  }
})
afterAll(() => market?.stop())

/** Whether a token with one scope may call a route at all, by the route's answer to an input that means nothing. */
const isRefused = async ({ method, path }: Route, scope: string): Promise<boolean> => {
  const at = path
    .replaceAll('{user_id}', ada.wallet)
    .replaceAll('{address}', ada.proxy)
    .replace(/\{\w+\}/g, 'none')
  const { status, text } = await send(market.url, {
    method: method.toUpperCase(),
    path: at,
    headers: { authorization: `Bearer ${tokens.get(scope)}`, 'content-type': 'application/json', accept: 'application/json' },
    ...(method !== 'get' && { body: '{"none":1}' }),
  })
  return status === 403 && text.includes('"insufficient-scope"')
}

test('each route of the API is open to the programs with its scope, and to no other program', async () => {
  const wrong: string[] = []
  // Polls of agents wait for work.
  for (const route of routes.filter(it => !it.path.includes('poll')))
    for (const scope of scopes) {
      const { operation } = route
      const isOpen = operation.scope === undefined ? operation.caller === 'anyone' : operation.scope === scope
      if ((await isRefused(route, scope)) === isOpen) wrong.push(`${route.method} ${route.path} with ${scope}`)
    }
  expect(wrong).toEqual([])
}, 60_000)

test('every operation that changes something for its user names a scope, or is for the person alone', () => {
  const forAnybody = routes.filter(({ method, operation }) => method !== 'get' && operation.caller === 'anyone')
  const unnamed = forAnybody.filter(it => it.operation.scope === undefined).map(it => it.operation.name)
  const named = [
    // They read nothing of the token: they begin a sign-in, or have a credential or a payment in the body.
    ...[
      'approveAsDemo',
      'approveAuthorization',
      'enterByEmail',
      'exchangeToken',
      'logIn',
      'openAsDemo',
      'payForCall',
      'payForOffering',
    ],
    ...['readPasskeyOptions', 'recoverAccount'],
    ...['registerClient', 'registerUser', 'registerUserWithKey', 'revokeProgramToken', 'sendEmailLink', 'settlePayment'],
    ...['signInWithPasskey', 'signUpWithPasskey', 'startAuthorization'],
    'verifyPayment',
  ]
  const known = new Set(routes.map(it => it.operation.name))
  expect([...new Set(unnamed)].toSorted()).toEqual(named.filter(it => known.has(it)))
})
