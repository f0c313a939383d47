import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { usualScopes } from '../domain/access/scopes.ts'
import {
  ChallengeProblem,
  PassingProblem,
  PasskeyProblem,
  PaymentProblem,
  Problem,
  problems,
  SaleProblem,
  ScopeProblem,
  toUnexpected,
  UnsettledProblem,
} from '../domain/problem.ts'

/** Returns the problem document of an error (RFC 9457). `detail` and `code` are the members that existing clients read. */
export const toProblemBody = (problem: Problem) => ({
  type: `/problems/${problem.type}`,
  title: problems[problem.type][1],
  status: problems[problem.type][0],
  detail: problem.detail,
  code: problem.type,
  retry: problems[problem.type][2],
  ...(problem.pointer !== undefined && { pointer: problem.pointer }),
  ...(problem instanceof ChallengeProblem && { challenge: problem.challenge }),
  ...(problem instanceof PasskeyProblem && { passkey: problem.options }),
  ...(problem instanceof PaymentProblem && problem.terms.body),
  ...(problem instanceof SaleProblem && { buy: problem.ways }),
})

/**
 * Responds with a problem document and the matching headers.
 * @param retryAfterS seconds for the Retry-After header; the header is only sent when the request may be repeated
 */
export const answerProblem = (c: Context, problem: Problem, retryAfterS = 1): Response => {
  const body = toProblemBody(problem)
  const status: ContentfulStatusCode = problems[problem.type][0]
  // The rest of a body that is too large stays unread, so its connection takes no other request (RFC 9110, 15.5.14).
  if (status === 413) c.header('connection', 'close')
  if (status === 401 || problem instanceof ScopeProblem) c.header('www-authenticate', challengeFor(c, problem))
  if (problem instanceof PaymentProblem && problem.terms.header) c.header('payment-required', problem.terms.header)
  if (problem instanceof PaymentProblem && problem.terms.challenge) c.header('www-authenticate', problem.terms.challenge)
  if (problem instanceof UnsettledProblem) c.header('payment-response', problem.settlement)
  const afterS = problem instanceof PassingProblem ? problem.retryAfterS : retryAfterS
  if (body.retry && status !== 500) c.header('retry-after', String(afterS))
  return c.body(JSON.stringify(body), status, { 'content-type': 'application/problem+json' })
}

declare module 'hono' {
  interface ContextVariableMap {
    /** The public address of the service. Behind a proxy, requests name another one. */
    publicUrl: string
  }
}

/** Clients ask for the scopes that a challenge names. Without any they ask for all, also for those over money. */
const usual = `scope="${usualScopes.join(' ')}"`

/**
 * The WWW-Authenticate header (RFC 6750, section 3). An MCP client, and a program without a scope, get the address of the
 * protected resource metadata, with which they start a sign-in (RFC 9728, section 5.1).
 */
const challengeFor = (c: Context, problem: Problem): string => {
  const { pathname } = new URL(c.req.url)
  const place = `/.well-known/oauth-protected-resource${pathname === '/mcp' ? '/mcp' : ''}`
  const metadata = `resource_metadata="${c.get('publicUrl')}${place}"`
  if (!(problem instanceof ScopeProblem)) return pathname === '/mcp' ? `Bearer ${usual}, ${metadata}` : 'Bearer'
  const needed = problem.scope ? `, scope="${[...problem.held, problem.scope].join(' ')}"` : ''
  return `Bearer error="insufficient_scope"${needed}, ${metadata}`
}

/** Converts any thrown value to a Problem. An unexpected error is logged and becomes `internal`, without its message. */
export const toProblem = (error: unknown, log: (error: unknown) => void): Problem => {
  if (error instanceof Problem) return error
  log(error)
  return toUnexpected(error)
}
