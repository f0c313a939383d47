// The service in a process of its own that may kill itself. Argument: its life, as JSON. Says its address once it serves.
import { readConfig } from '../../src/config.ts'
import { startService } from '../../src/service.ts'
import { crashing } from './crash.ts'
import { life } from './life.ts'

const { dir, port, aheadMs, crash } = life.parse(JSON.parse(process.argv[2] ?? ''))
const service = await startService({
  config: readConfig({ PORT: `${port}`, DATA_DIR: dir, LOG_LEVEL: 'error' }),
  clock: { now: () => Date.now() + aheadMs },
  ...(crash && { wrap: crashing(crash) }),
})
process.once('SIGTERM', () => void service.stop().then(() => process.exit(0)))
process.stdout.write(`${service.url}\n`)
