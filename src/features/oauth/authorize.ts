import { z } from 'zod'
import { readScopes, type Scope, scope, scopeSentences, usualScopes } from '../../domain/access/scopes.ts'
import { minuteMs } from '../../domain/durations.ts'
import { Problem } from '../../domain/problem.ts'
import { accessOf, type Deps, operation, userOf } from '../../operations/operation.ts'
import { programRequest } from '../../records/program.ts'
import { readClient, readRedirect, toRedirectHost, withAnswer } from './clients.ts'
import { type Client, grantTables } from './ports.ts'
import { Refusal } from './refusal.ts'
import { makeSecret } from './secrets.ts'

const parameter = (chars: number) => z.string().max(chars).optional()

/** The parameters of an authorization request (RFC 6749, section 4.1.1; RFC 7636; RFC 8707). Others are ignored. */
const authorizationRequest = z.object({
  response_type: parameter(50),
  client_id: parameter(4_000),
  redirect_uri: parameter(500),
  scope: parameter(500),
  state: parameter(2_000),
  code_challenge: parameter(200),
  code_challenge_method: parameter(20),
  resource: parameter(500),
})
type AuthorizationRequest = z.infer<typeof authorizationRequest>

/** A request that can be put to a person. */
type Askable = { client: Client; redirectUri: string; scopes: Scope[]; resource: string; codeChallenge: string }

/** The SHA-256 digest of a verifier, in base64url. */
const challenge = /^[\w-]{43}$/

/** What tokens may be for: the whole service, or its MCP endpoint. */
const resourcesOf = (publicUrl: string): string[] => [`${publicUrl}/mcp`, publicUrl]

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
const readRequest = async (
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
const toAnswer = ({ redirectUri, asked, deps }: To, answer: Record<string, string>): string =>
  withAnswer(redirectUri, { ...answer, state: asked.state, iss: deps.settings.publicUrl })

const codeMs = minuteMs
/** A person with this many programs ends one before another one gets in. */
const mostPrograms = 50

export const toSentences = (scopes: readonly Scope[]) => scopes.map(it => ({ scope: it, sentence: scopeSentences[it] }))

/**
 * Reads an authorization request. An unknown program, or an unknown redirect address of one, gets no answer: the person sees the
 * mistake on the page.
 * @throws Problem invalid-input
 */
const readOrTell = async (asked: AuthorizationRequest, deps: Deps, source: string | undefined) => {
  try {
    return await readRequest(asked, deps, source)
  } catch (error) {
    if (error instanceof Refusal) throw new Problem('invalid-input', error.body.error_description)
    throw error
  }
}

export const readProgramRequest = operation({
  name: 'readProgramRequest',
  summary: 'What a program asks a person for, from the parameters of its authorization request (RFC 6749, section 4.1.1).',
  caller: 'anyone',
  input: authorizationRequest,
  output: programRequest,

  async run(asked, deps, { source }) {
    const request = await readOrTell(asked, deps, source)
    if ('redirectTo' in request) return { redirect_to: request.redirectTo }
    const { client, redirectUri, scopes } = request
    return { client_name: client.name, redirect_host: toRedirectHost(redirectUri), scopes: toSentences(scopes) }
  },
})

/** Only a person lets a program in: a program cannot let another one in, or itself further in. */
export const answerProgram = operation({
  name: 'answerProgram',
  summary:
    'Let a program act for you within scopes, or refuse. The answer is the address to go on to, with the code or the error.',
  isYes: ({ decision }) => decision === 'yes',
  input: authorizationRequest.extend({
    decision: z.enum(['yes', 'no']),
    scopes: z.array(scope).optional().describe('At most those that the program asked for; all of them when absent'),
  }),
  output: z.object({ redirect_to: z.string() }),

  async run({ decision, scopes: allowed, ...asked }, deps, caller) {
    const wallet = userOf(caller)
    const request = await readOrTell(asked, deps, caller.source)
    if ('redirectTo' in request) return { redirect_to: request.redirectTo }
    const { client, redirectUri, resource, codeChallenge } = request
    const to = { redirectUri, asked, deps }
    const scopes = request.scopes.filter(it => allowed?.includes(it) ?? true)
    if (decision === 'no' || scopes.length === 0)
      return { redirect_to: toAnswer(to, { error: 'access_denied', error_description: 'The user refused.' }) }
    const id = deps.ids.fresh('grant')
    const { secret: code, hash: codeHash } = makeSecret(accessOf(deps), 'oauth-code', id)
    const grant = {
      id,
      wallet,
      clientId: client.id,
      clientName: client.name,
      redirectUri,
      scopes,
      resource,
      codeChallenge,
      codeHash,
      codeUntil: deps.clock.now() + codeMs,
    }
    if (!(await grantTables(deps.store).addGrant(grant, mostPrograms)))
      throw new Problem('too-many-programs', `${mostPrograms} programs act for you: end one under Account, then try again.`)
    return { redirect_to: toAnswer(to, { code }) }
  },
})
