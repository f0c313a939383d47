import { type AppDeps, createApp } from './app.ts'
import { createCredentials } from './credentials.ts'
import { createCrowdGate } from './crowd.ts'
import { createPollGate, isPoll, type PollBounds, pollBounds } from './polls.ts'
import { createQuickPoll } from './quickPoll.ts'
import { createSourceOf, type TrustedProxy } from './source.ts'

type ServeDeps = Omit<AppDeps, 'sourceOf' | 'credentials'> & {
  bounds: AppDeps['bounds'] & { polls?: PollBounds }
  /** The proxy whose header names the client address. Absent when clients connect directly. */
  trustedProxy?: TrustedProxy | undefined
}

/** Serves all requests: polls pass their gate, and a poll that finds no job is answered before everything else. */
export const createServe = ({ trustedProxy, ...given }: ServeDeps) => {
  const sourceOf = createSourceOf(trustedProxy)
  const credentials = createCredentials()
  const app = createApp({ ...given, sourceOf, credentials })
  const quickPoll = createQuickPoll(given.deps, sourceOf)
  const answer = (request: Request, env?: object) => quickPoll(request, env) ?? app.fetch(request, env)
  if (given.bounds.requestsASecond === 0) return answer
  const gate = createPollGate({ bounds: given.bounds.polls ?? pollBounds, sourceOf, credentials })
  const crowd = createCrowdGate({ sourceOf, credentials })
  return (request: Request, env?: object) => (isPoll(request) ? gate : crowd)(request, env, () => answer(request, env))
}
