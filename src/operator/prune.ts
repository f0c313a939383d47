import { join } from 'node:path'
import type { Config } from '../config.ts'
import { addPruned, nothingPruned, type Pruned, prunedAny } from '../domain/operator/retention.ts'
import { systemClock } from '../process/system.ts'
import { openStore, readStore } from '../store/store.ts'

type Place = Pick<Config, 'dataDir' | 'databaseUrl' | 'keepMs'>

/**
 * Removes the texts of runs that ended before the retention time, or counts them. A service with RETENTION_DAYS does the same
 * by itself.
 * @throws Error without RETENTION_DAYS, and when a service has the database file and `dryRun` is false
 */
export const prune = async ({ dataDir, databaseUrl, keepMs }: Place, { dryRun }: { dryRun: boolean }): Promise<Pruned> => {
  if (keepMs === undefined) throw new Error('Set RETENTION_DAYS: without it everything is kept.')
  const place = { ...(databaseUrl ? { url: databaseUrl } : { file: join(dataDir, 'market.db') }), clock: systemClock }
  if (dryRun) {
    const { tables, close } = readStore(place)
    return tables.countPrunable(keepMs).finally(close)
  }
  const store = await openStore(place)
  try {
    let total = nothingPruned
    for (;;) {
      const more = await store.pruneRuns(keepMs)
      if (!prunedAny(more)) return total
      total = addPruned(total, more)
    }
  } finally {
    await store.close()
  }
}

export const describePruned = (it: Pruned, { dryRun }: { dryRun: boolean }): string =>
  [
    `${dryRun ? 'To be removed' : 'Removed'}: ${it.deleted} runs in which nothing was hired or bought, ` +
      `and the texts of ${it.emptied} others;`,
    `with them ${it.events} events, ${it.messages} messages, ${it.inputs} answers, ${it.checkpoints} checkpoints,`,
    `${it.steps} steps of their history,`,
    `${it.deliverables} deliverables and ${it.purchased} purchased answers.`,
    'Jobs, terms, payments, verdicts, feedback and transactions stay.',
  ].join('\n')
