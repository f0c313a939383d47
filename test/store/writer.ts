import { writeSync } from 'node:fs'
import { openStore } from '../../src/store/store.ts'

// A process that writes until it is killed, and prints each key after its write was acknowledged. Arguments: file.
const [file = ''] = process.argv.slice(2)
const store = await openStore({ file, clock: { now: () => Date.now() } })

const write = async (line: number) => {
  for (let count = 0; ; count++) {
    const key = `${line}-${count}`
    const entries = [
      { account: 'a', amount: 1n },
      { account: 'b', amount: -1n },
    ]
    await store.post({ key, chainId: 97, jobId: undefined, runId: undefined, txHash: undefined, entries })
    writeSync(1, `${key}\n`)
  }
}

await store.addRun({ id: 'run-1', conversationId: 'c', user: `0x${'1'.repeat(40)}`, chainId: 97, task: 'held' })
await store.claimRuns(3_600_000, 1)
await store.addOutbox('push', 'k', null)
await store.claimOutbox('push', 3_600_000, 1)
await Promise.all([1, 2, 3, 4].map(write))
