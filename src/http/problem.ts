import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { ChallengeProblem, PaymentProblem, Problem, problems } from '../domain/problem.ts'

/** A refusal as RFC 9457 says it, with `detail` and `code` where existing clients read them. */
export const toProblemBody = (problem: Problem) => ({
  type: `/problems/${problem.type}`,
  title: problems[problem.type][1],
  status: problems[problem.type][0],
  detail: problem.detail,
  code: problem.type,
  retry: problems[problem.type][2],
  ...(problem.pointer !== undefined && { pointer: problem.pointer }),
  ...(problem instanceof ChallengeProblem && { challenge: problem.challenge }),
  ...(problem instanceof PaymentProblem && problem.terms.body),
})

/** @param retryAfterS after how long the same request may be sent again, where it may */
export const answerProblem = (c: Context, problem: Problem, retryAfterS = 1): Response => {
  const body = toProblemBody(problem)
  const status: ContentfulStatusCode = problems[problem.type][0]
  if (status === 401) c.header('www-authenticate', challengeFor(c))
  if (problem instanceof PaymentProblem) c.header('payment-required', problem.terms.header)
  if (body.retry && status !== 500) c.header('retry-after', String(retryAfterS))
  return c.body(JSON.stringify(body), status, { 'content-type': 'application/problem+json' })
}

/** An MCP client is told where to learn who gives out tokens (RFC 9728). */
const challengeFor = (c: Context): string => {
  const { origin, pathname } = new URL(c.req.url)
  return pathname === '/mcp' ? `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"` : 'Bearer'
}

/** What went wrong, as one of our problems; what is not ours to tell becomes `internal`, and is logged. */
export const toProblem = (error: unknown, log: (error: unknown) => void): Problem => {
  if (error instanceof Problem) return error
  if (error instanceof HTTPException && error.status === 413) return new Problem('body-too-large')
  log(error)
  return new Problem('internal')
}
