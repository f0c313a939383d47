// The service in a process of its own that may kill itself. Argument: its life, as JSON. Says how far its start came,
// and its address once it serves.
import { readConfig } from '../../src/config.ts'
import { startService } from '../../src/service.ts'
import { crashing } from './crash.ts'
import { life } from './life.ts'

const { dir, port, aheadMs, crashes, env } = life.parse(JSON.parse(process.argv[2] ?? ''))
const say = (line: string) => process.stdout.write(`${line}\n`)
say('program loaded')
const service = await startService({
  config: readConfig({ PORT: `${port}`, DATA_DIR: dir, LOG_LEVEL: 'error', ...env }),
  clock: { now: () => Date.now() + aheadMs },
  wrap(outside) {
    say('chain there')
    return crashes.reduce((wrapped, at) => crashing(at, dir)(wrapped), outside)
  },
})
process.once('SIGTERM', () => void service.stop().then(() => process.exit(0)))
say(service.url)
// Ctrl-C goes to all processes of a terminal: who started this one ends it.
process.on('SIGINT', () => undefined)
