import { z } from 'zod'
import { type Scope, scope, scopeSentences } from '../../domain/access/scopes.ts'
import { minuteMs } from '../../domain/durations.ts'
import { Problem } from '../../domain/problem.ts'
import { accessOf, type Deps, operation, userOf } from '../../operations/operation.ts'
import { programRequest } from '../../records/program.ts'
import { grantTables } from './ports.ts'
import { toRedirectHost } from './redirects.ts'
import { Refusal } from './refusal.ts'
import { type AuthorizationRequest, authorizationRequest, readRequest, toAnswer } from './request.ts'
import { makeSecret } from './secrets.ts'

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
