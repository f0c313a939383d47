// The service in a process of its own that may kill itself. Argument: its life, as JSON. Says its address once it serves.
import { readConfig } from '../../src/config.ts'
import { startService } from '../../src/service.ts'
import { crashing } from './crash.ts'
import { life } from './life.ts'

const { dir, port, aheadMs, crashes, env } = life.parse(JSON.parse(process.argv[2] ?? ''))
const service = await startService({
  config: readConfig({ PORT: `${port}`, DATA_DIR: dir, LOG_LEVEL: 'error', ...env }),
  clock: { now: () => Date.now() + aheadMs },
  wrap: outside => crashes.reduce((wrapped, at) => crashing(at, dir)(wrapped), outside),
})
process.once('SIGTERM', () => void service.stop().then(() => process.exit(0)))
process.stdout.write(`${service.url}\n`)
// Ctrl-C goes to all processes of a terminal: who started this one ends it.
process.on('SIGINT', () => undefined)
