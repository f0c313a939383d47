import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'

const json = { 'content-type': 'application/json' }
const redirect = 'https://client.example/callback'

export const toVerifier = () => randomBytes(32).toString('base64url')
export const toChallenge = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')

const registered = z.object({ client_id: z.string() })
const answered = z.object({ redirect_to: z.string() })

/** A program that speaks OAuth to a service, by hand, so that each step can be done wrongly. */
export const createProgram = (url: string) => {
  const register = async (metadata: object = {}) => {
    const body = JSON.stringify({ client_name: 'Calendar helper', redirect_uris: [redirect], ...metadata })
    return fetch(`${url}/oauth/register`, { method: 'POST', headers: json, body })
  }
  const form = (path: string, members: Record<string, string>) =>
    fetch(`${url}${path}`, { method: 'POST', body: new URLSearchParams(members) })
  return {
    register,
    clientId: async (metadata?: object) => registered.parse(await (await register(metadata)).json()).client_id,
    /** The parameters of an authorization request. */
    request: (clientId: string, challenge: string, more: Record<string, string> = {}) => ({
      ...{ response_type: 'code', client_id: clientId, redirect_uri: redirect, state: 'tea', scope: 'look hire' },
      ...{ code_challenge: challenge, code_challenge_method: 'S256', resource: `${url}/mcp` },
      ...more,
    }),
    asked: (request: Record<string, string>) => fetch(`${url}/oauth/request?${new URLSearchParams(request)}`),
    /** The person's answer on the page, with the person's own token. */
    answer: (token: string, body: object) =>
      fetch(`${url}/oauth/answer`, {
        method: 'POST',
        headers: { ...json, authorization: `Bearer ${token}` },
        body: JSON.stringify({ decision: 'yes', ...body }),
      }),
    token: (members: Record<string, string>) => form('/oauth/token', members),
    revoke: (token: string) => form('/oauth/revoke', { token }),
    call: (token: string | undefined, path: string, body?: object) =>
      fetch(`${url}${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { ...json, accept: 'application/json, text/event-stream', ...(token && { authorization: `Bearer ${token}` }) },
        ...(body && { body: JSON.stringify(body) }),
      }),
  }
}
export type Program = ReturnType<typeof createProgram>

export const codeOf = async (answer: Response): Promise<string> =>
  new URL(answered.parse(await answer.json()).redirect_to).searchParams.get('code') ?? ''

const issued = z.object({ access_token: z.string(), refresh_token: z.string(), scope: z.string(), expires_in: z.number() })

/** Lets a program in, as its user would, and gets its tokens. */
export const letIn = async (program: Program, token: string, more: Record<string, string> = {}) => {
  const clientId = await program.clientId()
  const verifier = toVerifier()
  const request = program.request(clientId, toChallenge(verifier), more)
  const code = await codeOf(await program.answer(token, request))
  const exchange = {
    grant_type: 'authorization_code',
    code,
    client_id: clientId,
    code_verifier: verifier,
    redirect_uri: redirect,
  }
  const tokens = issued.parse(await (await program.token(exchange)).json())
  return { ...tokens, clientId, exchange, refresh: (refresh_token: string) => refreshWith(program, clientId, refresh_token) }
}

const refreshWith = async (program: Program, clientId: string, refresh_token: string) => {
  const answer = await program.token({ grant_type: 'refresh_token', client_id: clientId, refresh_token })
  const body = await answer.json()
  return {
    status: answer.status,
    error: z.object({ error: z.string() }).safeParse(body).data?.error,
    tokens: issued.safeParse(body).data,
  }
}
