import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { amount, command, print, whole } from '../command.ts'

// Changes the domain, one place at a time, and runs the tests that reach the place. A change that no test notices survives. A sample
// counts the mutants that are not drawn as errors, which its scores leave out.

const line = command('mutation', 'Shows which changes of the domain its tests do not notice.')
  .argument('[folders...]', 'folders to change, instead of all')
  .option('--share <number>', 'the part of the mutants to draw, from 0 to 1', amount, 1)
  .option('--seed <number>', 'draws the same mutants again', whole)
  .parse()
const { share, seed = Math.floor(Math.random() * 1e9) } = line.opts<{ share: number; seed?: number }>()

print(`Draws ${share} of all mutants with --seed ${seed}.`)
const mutate = line.args.length > 0 ? ['--mutate', line.args.map(it => `${it}/**/*.ts`).join(',')] : []
const { status } = spawnSync(
  join(import.meta.dirname, '../../node_modules/.bin/stryker'),
  ['run', join(import.meta.dirname, 'stryker.json'), ...mutate],
  { stdio: 'inherit', env: { ...process.env, MUTATION_SHARE: `${share}`, MUTATION_SEED: `${seed}` } },
)
process.exitCode = status ?? 1
