import { runProcessFaults } from '../processes/processFaults.ts'
import { emptyRealTally } from '../real/tally.ts'
import { toProcessRecord, toProcessSentence } from '../report.ts'
import { runFileUpgrade } from './fileUpgrade.ts'
import { predecessor, unpackRelease } from './release.ts'
import { upgradeFaults } from './upgradeFaults.ts'

/** Since this migration every process follows what others publish. Earlier releases hire with one process only. */
const sharedFrom = 18
const durations = { stoppedMs: 0, databaseMs: 0, chainMs: 0 }

type Options = { signal: AbortSignal; tell(line: string): void }

/**
 * Runs earlier commits of this repository and this release one after the other and side by side under hires: on one PostgreSQL
 * server, and on a file.
 * @param commits the newest one with fewer migrations where none is named
 */
export const runUpgrades = async (commits: string[], { signal, tell }: Options) => {
  const records: (ReturnType<typeof toProcessRecord> & { from: string; schema: number })[] = []
  for (const commit of commits.length > 0 ? commits : [await predecessor()]) {
    tell(`${commit}: unpacking it with its packages …`)
    const before = await unpackRelease(commit)
    try {
      const processes = before.level < sharedFrom ? 1 : 2
      tell(`${commit}, schema ${before.level}: ${processes} processes on one PostgreSQL server, time until all hires had ended:`)
      const tally = emptyRealTally()
      const faults = upgradeFaults(before)
      const recovered = await runProcessFaults({ processes, root: before.root, faults, durations, signal, tell }, tally)
      tell(`${commit}: one process on a file`)
      await runFileUpgrade({ before, signal, tell }, tally)
      for (const it of tally.violations) tell(`VIOLATION ${it}`)
      tell(toProcessSentence(processes, tally))
      records.push({ from: commit, schema: before.level, ...toProcessRecord(processes, tally, recovered) })
    } finally {
      await before.remove()
    }
  }
  return records
}
