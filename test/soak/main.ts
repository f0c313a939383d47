// npm run soak -- [--minutes M] [--users U] [--block-seconds S] [--confirmations C] [--no-faults] [--seed N] [--json]
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { soak } from './soak.ts'

const { values } = parseArgs({
  allowNegative: true,
  options: {
    minutes: { type: 'string', default: '60' },
    users: { type: 'string', default: '4' },
    'block-seconds': { type: 'string', default: '3' },
    confirmations: { type: 'string' },
    faults: { type: 'boolean', default: true },
    seed: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})
const maxSeed = 2 ** 32
const seed = values.seed === undefined ? randomInt(maxSeed) : Number(values.seed)
const say = (line: string) => {
  if (!values.json) process.stdout.write(`${line}\n`)
}
say(`seed ${seed}`)
const found = await soak({
  ...{ minutes: Number(values.minutes), users: Number(values.users), blockSeconds: Number(values['block-seconds']) },
  ...{ confirmations: values.confirmations === undefined ? undefined : Number(values.confirmations) },
  ...{ faults: values.faults, seed, say },
})
process.stdout.write(`${JSON.stringify({ seed, ...found })}\n`)
process.exitCode = found.violations.length > 0 ? 1 : 0
