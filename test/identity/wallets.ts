import type { IncomingMessage } from 'node:http'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import { createA2aAgent } from '../../src/a2a/endpoint.ts'
import { createServe } from '../../src/http/serve.ts'
import { routes } from '../assembled.ts'
import { get, post } from '../http/wire.ts'
import type { TestService } from '../service.ts'

export const freshAccount = () => privateKeyToAccount(generatePrivateKey())

export const begun = z.object({ code: z.string(), auth_url: z.string(), authUrl: z.string() })
const said = z.object({ message: z.string() })
const approved = z.object({ token: z.string(), expires_at: z.string() })

export const begin = async (url: string) => begun.parse((await post(url, '/v1/init', true)).json)

/** The session text that the wallet of an address is asked to sign. */
export const messageOf = async (url: string, code: string, address: string) =>
  said.parse((await get(url, `/v1/approve?code=${code}&address=${address}`)).json).message

/** Signs a wallet in with every step of a person; returns the token. */
export const signIn = async (url: string, account: PrivateKeyAccount) => {
  const { code } = await begin(url)
  const signature = await account.signMessage({ message: await messageOf(url, code, account.address) })
  return approved.parse((await post(url, '/v1/approve', { code, address: account.address, signature })).json).token
}

/** The HTTP application of a running service without a socket, for requests from any network address. */
export const openApp = ({ service }: TestService, { requestsASecond = 0 } = {}) => {
  const serve = createServe({
    routes,
    deps: service.world.deps,
    mcp: async () => new Response(null, { status: 404 }),
    a2a: createA2aAgent({ deps: service.world.deps, log: () => undefined }),
    log: () => undefined,
    ending: new AbortController().signal,
    bounds: { requestsASecond },
  })
  return async (path: string, body?: unknown, { token, from = '127.0.0.1' }: { token?: string; from?: string } = {}) => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) }
    const incoming: { socket: Pick<IncomingMessage['socket'], 'remoteAddress'> } = { socket: { remoteAddress: from } }
    const response = await serve(new Request(`http://localhost${path}`, init), { incoming })
    const json: unknown = await response.json()
    return { status: response.status, json, code: z.object({ code: z.string() }).safeParse(json).data?.code }
  }
}
