import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { keccak256 } from 'viem'
import { z } from 'zod'
import { type Hex, hex } from '../../src/domain/hex.ts'
import type { Outside } from '../../src/world.ts'
import { chainPid } from './embedded.ts'
import { type Call, tapped } from './tap.ts'

const proposed = z.array(z.object({ kind: z.string() })).refine(events => events.some(it => it.kind === 'proposed'))
const signed = z.object({ hash: hex })
const paid = z.array(z.object({ name: z.string() })).refine(events => events.some(it => it.name === 'PaymentReleased'))

/** Port calls after which an effect has happened that is not recorded anywhere else yet. */
const effects = {
  proposed: ({ name, args }: Call) => name === 'addRunEvents' && proposed.safeParse(args[1]).success,
  funded: (call: Call) => isMove(call, 'fund'),
  leased: ({ name, result }: Call) => name === 'leaseJob' && result !== undefined,
  stored: (call: Call) => isMove(call, 'submit'),
  signed: ({ name, args, result }: Call, outside: Outside) =>
    name === 'recordSigned' && result === true && isSettling(outside, signed.parse(args[1]).hash),
  sent: ({ name, args }: Call, outside: Outside) => name === 'broadcast' && isSettling(outside, keccak256(hex.parse(args[0]))),
  paid: ({ name, result }: Call) => name === 'events' && paid.safeParse(result).success,
}
export type Effect = keyof typeof effects

/** Whether a transaction releases the escrow of a job. */
const isSettling = async ({ store, chain }: Outside, hash: Hex) =>
  (await store.intentByHash(chain.chainId, hash))?.key.endsWith(':complete') === true

const isMove = ({ name, args, result }: Call, event: string) => name === 'moveJob' && args[1] === event && result !== undefined

/** When a process kills itself or its chain: after a named effect is committed, or before or after the n-th port call. */
export const effectName = z.enum(['proposed', 'funded', 'leased', 'stored', 'signed', 'sent', 'paid'])
export const crashAt = z.union([
  z.object({ after: effectName }),
  z.object({
    /** The number of the call, from 1. */
    call: z.number().int().positive(),
    side: z.enum(['before', 'after']),
    /** Calls are counted from the start of the process, or from the first task of a user. */
    since: z.enum(['start', 'task']),
    /** The killed process: the service, or the node of its embedded chain. */
    whom: z.enum(['service', 'chain']).default('service'),
  }),
])
export type CrashAt = z.input<typeof crashAt>

/** Wraps store and chain so that they crash as planned. */
export const crashing = (at: z.output<typeof crashAt>, dir: string) => (outside: Outside) =>
  'after' in at ? crashAfter(() => at.after, outside) : crashAtCall(at, { dir, ...outside })

// SIGKILL ends all threads before the call returns.
const die = () => process.kill(process.pid, 'SIGKILL')

/** Wraps store and chain so that they crash after the effect that is named at that time, if any. */
export const crashAfter = (named: () => Effect | undefined, { store, chain }: Outside): Outside => {
  const end = async (call: Call) => {
    const effect = named()
    if (effect && (await effects[effect](call, { store, chain }))) die()
  }
  return {
    chain: tapped(chain, () => end),
    store: {
      ...tapped(store, () => end),
      async atomically(work) {
        const inside: Call[] = []
        const done = await store.atomically(tables => work(tapped(tables, () => call => void inside.push(call))))
        // The transaction is committed only here.
        for (const call of inside) await end(call)
        return done
      },
    },
  }
}

/** A file with one character for each kill of the chain. */
export const chainKillsFile = (dir: string) => join(dir, 'chain-kills')

// The node may have ended or not started yet.
const killChain = (dir: string) => {
  try {
    process.kill(chainPid(dir), 'SIGKILL')
    appendFileSync(chainKillsFile(dir), '.')
  } catch {}
}

type AtCall = Extract<z.output<typeof crashAt>, { call: number }>

/** A transaction counts as one call, because a kill inside it rolls it back like a kill before it. */
const crashAtCall = ({ call, side, since, whom }: AtCall, { dir, store, chain }: Outside & { dir: string }): Outside => {
  const strike = whom === 'chain' ? () => killChain(dir) : die
  let isCounting = since === 'start'
  let count = 0
  const begin = () => {
    if (isCounting) count += 1
    const isIt = isCounting && count === call
    if (isIt && side === 'before') strike()
    return () => {
      if (isIt && side === 'after') strike()
    }
  }
  const lookForTask = (name: string) => {
    isCounting ||= name === 'addRun'
    return () => undefined
  }
  const { atomically } = tapped(store, begin)
  return {
    chain: tapped(chain, begin),
    store: { ...tapped(store, begin), atomically: work => atomically(tables => work(tapped(tables, lookForTask))) },
  }
}
