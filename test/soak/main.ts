import { randomInt } from 'node:crypto'
import { amount, command, print, whole } from '../command.ts'
import { soak } from './soak.ts'

type Options = { minutes: number; users: number; blockSeconds: number; confirmations?: number; faults: boolean }

const maxSeed = 2 ** 32
const { json, ...options } = command('soak', 'Runs the service for a long time on a node that behaves like a public one.')
  .option('--minutes <minutes>', 'how long', amount, 60)
  .option('--users <count>', 'users who hire', whole, 4)
  .option('--block-seconds <seconds>', 'time between two blocks', amount, 3)
  .option('--confirmations <count>', 'blocks above an event before it counts; those of BSC without it', whole)
  .option('--no-faults', 'without faults of the node')
  .option('--seed <number>', 'chooses the faults; random without it', whole, randomInt(maxSeed))
  .option('--json', 'print the last line only', false)
  .parse()
  .opts<Options & { seed: number; json: boolean }>()
const say = (line: string) => {
  if (!json) print(line)
}
say(`seed ${options.seed}`)
const found = await soak({ ...options, confirmations: options.confirmations, say })
print(JSON.stringify({ seed: options.seed, ...found }))
process.exitCode = found.violations.length > 0 ? 1 : 0
