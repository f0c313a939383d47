import { z } from 'zod'
import { readScopes, type Scope, usualScopes } from '../../domain/access/scopes.ts'
import type { Deps } from '../../operations/operation.ts'
import { readClient, readRedirect } from './clients.ts'
import type { Client } from './ports.ts'
import { withAnswer } from './redirects.ts'
import { Refusal } from './refusal.ts'

const parameter = (chars: number) => z.string().max(chars).optional()

/** The parameters of an authorization request (RFC 6749, section 4.1.1; RFC 7636; RFC 8707). Others are ignored. */
export const authorizationRequest = z.object({
  response_type: parameter(50),
  client_id: parameter(4_000),
  redirect_uri: parameter(500),
  scope: parameter(500),
  state: parameter(2_000),
  code_challenge: parameter(200),
  code_challenge_method: parameter(20),
  resource: parameter(500),
})
export type AuthorizationRequest = z.infer<typeof authorizationRequest>

/** A request that can be put to a person. */
export type Askable = { client: Client; redirectUri: string; scopes: Scope[]; resource: string; codeChallenge: string }

/** The SHA-256 digest of a verifier, in base64url. */
const challenge = /^[\w-]{43}$/

/** What tokens may be for: the whole service, or its MCP endpoint. */
export const resourcesOf = (publicUrl: string): string[] => [`${publicUrl}/mcp`, publicUrl]

/**
 * The resource that a request names, without a slash at its end; the MCP endpoint when it names none.
 * @throws Refusal invalid_target
 */
const readResource = (asked: string | undefined, publicUrl: string): string => {
  const [usual = publicUrl, ...others] = resourcesOf(publicUrl)
  const resource = (asked ?? usual).replace(/\/+$/, '')
  if (resource === usual || others.includes(resource)) return resource
  throw new Refusal('invalid_target', `This service issues tokens for ${usual} and ${publicUrl}.`)
}

/**
 * Reads an authorization request. A program that is not known gets no answer. Any other mistake is told to the program, at its
 * redirect address, with `iss` (RFC 9207).
 * @param source the network address of the caller, in whose line the metadata document of a program is fetched
 * @returns the request, or the address with the error
 * @throws Refusal for an unknown program or redirect address
 */
export const readRequest = async (
  asked: AuthorizationRequest,
  deps: Deps,
  source: string | undefined,
): Promise<Askable | { redirectTo: string }> => {
  const client = await readClient(asked.client_id ?? '', deps, source)
  const redirectUri = readRedirect(client, asked.redirect_uri)
  try {
    return { client, redirectUri, ...readRest(asked, deps) }
  } catch (error) {
    if (error instanceof Refusal) return { redirectTo: toAnswer({ redirectUri, asked, deps }, error.body) }
    throw error
  }
}

const readRest = (asked: AuthorizationRequest, { settings }: Deps) => {
  if (asked.response_type !== 'code') throw new Refusal('unsupported_response_type', 'Only response_type=code is supported.')
  if (asked.code_challenge_method !== 'S256' || !challenge.test(asked.code_challenge ?? ''))
    throw new Refusal('invalid_request', 'PKCE is required: send code_challenge with code_challenge_method=S256.')
  const scopes = asked.scope ? readScopes(asked.scope) : [...usualScopes]
  if (scopes.length === 0) throw new Refusal('invalid_scope', 'The scopes are look, hire, sell and money.')
  return { scopes, resource: readResource(asked.resource, settings.publicUrl), codeChallenge: asked.code_challenge ?? '' }
}

type To = { redirectUri: string; asked: Pick<AuthorizationRequest, 'state'>; deps: Pick<Deps, 'settings'> }
/** The redirect address with an answer to the program. */
export const toAnswer = ({ redirectUri, asked, deps }: To, answer: Record<string, string>): string =>
  withAnswer(redirectUri, { ...answer, state: asked.state, iss: deps.settings.publicUrl })
