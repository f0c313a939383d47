import type { JsonObject } from '../domain/json.ts'
import { createGuard } from './guard.ts'
import { listen } from './listener.ts'
import { pause, retryUntilDone, waitAtMost } from './pauses.ts'
import { createPlatform, RegistrationRefused } from './platform.ts'
import { pollJobs } from './polling.ts'
import { type AgentOptions, type Profile, toProfile } from './profile.ts'
import { type Attempt, createMembership, toRegistration } from './registration.ts'
import { createSigner, type Signer } from './signer.ts'
import { createSurface } from './surface.ts'
import { pollTasks } from './tasks.ts'

export type { Revision } from '../domain/jobs/acceptance.ts'
export type { JobFile, Uploadable } from './files.ts'
export { type AgentInput, readField, readInput, type Work } from './input.ts'
export type { JobContext } from './job.ts'
export { RegistrationRefused } from './platform.ts'
export {
  type AgentOffering,
  type AgentOptions,
  type AgentResource,
  type Credential,
  type Mode,
  modes,
  type Skill,
} from './profile.ts'

export type RunningAgent = {
  /** Base URL of the agent's own server. */
  url: string
  /** Returns the id from registration; empty before registration. */
  agentId: () => string
  /** Resolves when the agent has ended: stopped, or refused for good by the platform after its start. */
  ended: Promise<void>
  /** Ends requests, polling and the agent's own server. The gateway offers unfinished jobs again. */
  stop: () => Promise<void>
}
export type Agent = { start: () => Promise<RunningAgent> }

/** Polling interval of the specification, in ms; also the first pause after a failure. */
const threeSecondsMs = 3_000
/** Time in ms that stop() waits for a running handler. */
const stopGraceMs = 1_000

/**
 * Creates an agent. `start` resolves once the server runs and the first registration was answered or failed. It rejects with
 * RegistrationRefused when the platform refuses the agent permanently, and with an Error when the port is not available. While
 * the platform is unreachable, the agent serves locally and tries again. A later permanent refusal stops the agent with exit
 * code 1. Polling starts when the agent has an id.
 * @throws ZodError when an offering or the private key is invalid
 */
export const createAgent = (options: AgentOptions): Agent => {
  const profile = toProfile(options)
  const signer = createSigner(options.credential, options.platformUrl)
  return { start: () => start(options, profile, signer) }
}

/**
 * Returns the body of this agent's registration, without its credential.
 * @throws ZodError when an offering is invalid
 */
export const describeRegistration = (
  options: Pick<AgentOptions, 'handle' | 'name' | 'description' | 'skills' | 'offerings'> & Partial<AgentOptions>,
  platformUrl: string,
): JsonObject => toRegistration(toProfile(options), platformUrl)

/** The loops of a running agent. stop() ends its requests, its server and its loops, once. */
const createLife = (stopping: AbortController, close: () => Promise<void>) => {
  const loops: Promise<void>[] = []
  const end = async () => {
    stopping.abort()
    await Promise.all([close(), waitAtMost(stopGraceMs, Promise.all(loops))])
  }
  let stopped: Promise<void> | undefined
  const { promise: ended, resolve: tellEnded } = Promise.withResolvers<void>()
  return {
    ended,
    run: (loop: Promise<void>) => void loops.push(loop),
    stop: () => (stopped ??= end().finally(tellEnded)),
  }
}

/** Repeats the registration until the platform accepts it or refuses it permanently. Ends early on abort. */
const registerLater = async (register: () => Promise<Attempt>, pauseMs: number, signal: AbortSignal): Promise<Attempt> => {
  const last: { attempt: Attempt } = { attempt: 'later' }
  const attemptAgain = async () => {
    last.attempt = await register()
    return last.attempt !== 'later'
  }
  await pause(pauseMs, signal)
  await retryUntilDone(attemptAgain, pauseMs, signal)
  return last.attempt
}

/** Whether the agent registers at its start: in the manual modes, only after the owner has confirmed. */
const isToRegister = async ({ mode, confirm, autoRegister = true }: AgentOptions, body: JsonObject): Promise<boolean> => {
  const isManual = mode === 'manual' || mode === 'polling-manual'
  const agreed = !isManual || (await confirm?.(body)) === true
  return agreed && autoRegister
}

const start = async (options: AgentOptions, profile: Profile, signer: Signer): Promise<RunningAgent> => {
  const stopping = new AbortController()
  const { signal } = stopping
  const { log = () => undefined, pollPauseMs = threeSecondsMs, retryPauseMs = threeSecondsMs } = options
  const { platformUrl, gatewayUrl = platformUrl, credential, handler, agentId: known, concurrency = 1 } = options
  const platform = createPlatform({ platformUrl, gatewayUrl, credential, signal })
  const { agentId, register } = createMembership({
    platform,
    profile,
    signer,
    platformUrl,
    known,
    log,
    onRegistered: options.onRegistered,
  })

  const hasToken = 'token' in credential
  const guard = createGuard({ profile, platform, agentId, hasToken })
  if (profile.endpointUrl && profile.offerings.length > 0 && !hasToken)
    log('warning: with a key the platform confirms no job, so /invoke works for whoever calls it; use a token')
  const surface = createSurface({ guard, profile, handler, agentId, tell: platform.progress, signal })
  const { url, close } = await listen(surface, options.host ?? '127.0.0.1', options.port ?? 0)
  log(`${profile.name} listens on ${url}`)

  const { run, stop, ended } = createLife(stopping, close)
  const work = () => {
    const { chainId, viaGateway, endpointUrl } = profile
    const polling = { platform, handler, agentId, log, pollPauseMs, retryPauseMs, signal }
    if (viaGateway || !endpointUrl) run(pollJobs({ ...polling, chainId, concurrency }))
    if (options.tasks) run(pollTasks(polling))
  }
  const refuse = (attempt: RegistrationRefused) => {
    log(`error: the platform refused the registration: ${attempt.message}`)
    return attempt
  }
  /** A permanent refusal stops the agent. */
  const startLater = async () => {
    const attempt = await registerLater(register, retryPauseMs, signal)
    if (attempt === 'registered') work()
    if (attempt instanceof RegistrationRefused) {
      refuse(attempt)
      process.exitCode = 1
      void stop()
    }
  }

  const attempt = (await isToRegister(options, toRegistration(profile, platformUrl))) ? await register() : undefined
  if (attempt instanceof RegistrationRefused) {
    await stop()
    throw refuse(attempt)
  }
  if (attempt === 'later') run(startLater())
  else if (agentId()) work()
  else log('warning: not registered and no agentId was given; the agent only serves locally')
  return { url, agentId, ended, stop }
}
