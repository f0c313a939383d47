// The service in its own process, which may kill itself. Argument: its settings as JSON. Prints the progress of its start, and
// its URL once it serves.
import { readConfig } from '../../src/config.ts'
import { startService } from '../../src/service.ts'
import { readerDir } from '../reader.ts'
import { crashAfter, crashing, type Effect, effectName } from './crash.ts'
import { life } from './life.ts'

const { dir, port, aheadMs, machineAheadMs, crashes, env } = life.parse(JSON.parse(process.argv[2] ?? ''))
const { now } = Date
Date.now = () => now() + machineAheadMs
/** The parent process names the effect after which this one dies. */
let fatal: Effect | undefined
process.on('message', message => {
  fatal = effectName.parse(message)
})
const say = (line: string) => process.stdout.write(`${line}\n`)
say('program loaded')
const service = await startService({
  config: { ...readConfig({ PORT: `${port}`, DATA_DIR: dir, LOG_LEVEL: 'error', ...env }), readerDir },
  clock: { now: () => Date.now() + aheadMs },
  wrap(outside) {
    say('chain there')
    return crashes.reduce(
      (wrapped, at) => crashing(at, dir)(wrapped),
      crashAfter(() => fatal, outside),
    )
  },
})
process.once('SIGTERM', () => void service.stop().then(() => process.exit(0)))
say(service.url)
// Ctrl-C reaches all processes of a terminal. The parent process ends this one.
process.on('SIGINT', () => undefined)
