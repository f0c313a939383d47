import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { beginLife, home } from '../life.ts'
import { openMarket } from '../market.ts'
import { rhymer, task } from '../provider.ts'
import { addAudit, noteEnd, type RealTally } from '../real/tally.ts'
import { noteFailure, untilAborted } from '../real/untilAborted.ts'
import { canReturn, type Release } from './release.ts'

type Options = { before: Release; signal: AbortSignal; tell(line: string): void }

/** Approximate duration of a hire in ms. The kill comes within it. */
const hireMs = 800

/**
 * An earlier release with its own file and chain is killed during a hire, and this release goes on with both. Where the schema
 * allows it, the earlier one follows again.
 */
export const runFileUpgrade = async ({ before, signal, tell }: Options, tally: RealTally): Promise<void> => {
  const roots = [before.root, home, ...(canReturn(before) ? [before.root, home] : [])]
  const onKill = () => {
    tally.kills += 1
  }
  // Earlier releases know no price by use.
  const market = await openMarket({ deaths: [], roots, agents: [rhymer], onKill }).catch((error: unknown) =>
    noteFailure(tally, error, 'no market'),
  )
  if (!market) return
  let at = 0
  const name = () => `a file: release ${at + 1} of ${roots.length}`
  const work = async () => {
    for (at = 0; at < roots.length; at += 1) {
      const startedAt = performance.now()
      const isLast = at === roots.length - 1
      const killing = isLast ? undefined : pause(hireMs * Math.random()).then(market.kill)
      const hiring = Promise.all([market.user.say(task).then(market.user.confirm), killing])
      const [{ state }] = await Promise.race([hiring, market.failed])
      tally.hires += 1
      if (state !== 'completed') tally.violations.push(`I3 a hire ended as ${state} (${name()})`)
      const nodes = nodesOf(market.dir)
      if (nodes !== 1) tally.violations.push(`I11 ${nodes} processes of a chain in one folder (${name()})`)
      addAudit(tally, await market.audit(), name())
      tell(`${String(Math.round(performance.now() - startedAt)).padStart(7)} ms  ${name()}`)
    }
    noteEnd(tally, await market.stop())
    if (!canReturn(before)) await expectRefusal(market.dir, { before, tally })
  }
  await untilAborted(work, { tally, signal, where: name }).finally(market.close)
}

/** The chains that run in this folder: the one of a killed process must have been ended. */
const nodesOf = (dir: string): number =>
  readdirSync('/proc').filter(
    pid => /^\d+$/.test(pid) && /anvil/.test(commandOf(pid)) && commandOf(pid).includes(join(dir, 'chain')),
  ).length

const commandOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

const expectRefusal = async (dir: string, { before, tally }: { before: Release; tally: RealTally }) => {
  const life = beginLife({ dir, port: 0 }, before.root)
  const url = await life.url
  life.kill()
  const words = await life.words
  if (url || !/schema version \d+, which this release does not know/.test(words))
    tally.violations.push(`I4 the earlier release was not refused: ${words}`)
}
