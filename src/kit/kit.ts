import { listen } from './listener.ts'
import { insist, pause, waitAtMost } from './pauses.ts'
import { createPlatform } from './platform.ts'
import { pollJobs } from './polling.ts'
import { type AgentOptions, type Profile, toProfile } from './profile.ts'
import { createMembership } from './registration.ts'
import { createSigner, type Signer } from './signer.ts'
import { createSurface } from './surface.ts'

export type { Revision } from '../domain/acceptance.ts'
export { type AgentInput, readField, readInput } from './input.ts'
export type { AgentOffering, AgentOptions, Credential, Skill } from './profile.ts'

export type RunningAgent = {
  /** Base URL of the local surface. */
  url: string
  /** The id from registration; `erc8004:<handle>` before. */
  agentId: () => string
  /** Ends requests, polling and the local surface. Work in hand is left to the gateway, which offers it again. */
  stop: () => Promise<void>
}
export type Agent = { start: () => Promise<RunningAgent> }

/** The specification's polling interval; also the first pause after a failure. */
const threeSecondsMs = 3_000
/** How long stop() waits for a handler that is still at work. */
const stopGraceMs = 1_000

/**
 * An agent of the market. Throws a ZodError when an offering or the private key is wrong.
 * `start` resolves when the agent serves and its first registration was answered or failed; it rejects only when the
 * port cannot be had. A registration that failed is tried again for as long as the agent runs.
 */
export const createAgent = (options: AgentOptions): Agent => {
  const profile = toProfile(options)
  const signer = createSigner(options.credential)
  return { start: () => start(options, profile, signer) }
}

const start = async (options: AgentOptions, profile: Profile, signer: Signer): Promise<RunningAgent> => {
  const stopping = new AbortController()
  const { signal } = stopping
  const { log = () => undefined, pollPauseMs = threeSecondsMs, retryPauseMs = threeSecondsMs } = options
  const { platformUrl, gatewayUrl = platformUrl, credential, handler } = options
  const platform = createPlatform({ platformUrl, gatewayUrl, credential, signal })
  const { agentId, register } = createMembership({ platform, profile, signer, platformUrl, log })

  const surface = createSurface({ profile, handler, agentId })
  const { url, close } = await listen(surface, options.host ?? '127.0.0.1', options.port ?? 0)
  log(`${profile.name} listens on ${url}`)

  const loops: Promise<void>[] = []
  if ((options.autoRegister ?? true) && !(await register()))
    loops.push(pause(retryPauseMs, signal).then(() => insist(register, retryPauseMs, signal)))
  if (profile.viaGateway || !profile.endpointUrl)
    loops.push(pollJobs({ platform, handler, agentId, chainId: profile.chainId, log, pollPauseMs, retryPauseMs, signal }))

  const stop = async () => {
    stopping.abort()
    await Promise.all([close(), waitAtMost(stopGraceMs, Promise.all(loops))])
  }
  let stopped: Promise<void> | undefined
  return { url, agentId, stop: () => (stopped ??= stop()) }
}
