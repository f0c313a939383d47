import { randomInt } from 'node:crypto'
import { amount, command, whole } from '../command.ts'

/** The options of `npm run fault`. Each has the meaning that `--help` prints. */
export type FaultOptions = {
  seeds: number[]
  scenario?: number
  minutes: number
  faults: number
  lanes: number
  kills: number
  chainFaults: number
  processes: number
  upgrade?: string[] | true
  failover: boolean
  planted?: string | false
  plans: boolean
  sim: boolean
  real: boolean
  json: boolean
}

type Given = Omit<FaultOptions, 'seeds' | 'minutes' | 'faults'> & {
  seed?: number[]
  seeds: number
  minutes?: number
  faults?: number
}

const maxSeed = 2 ** 32
/** Limits of the simulation where none is given. */
const usual = { minutes: 6, faults: 200_000 }
/** In minutes: no limit, as a number that other threads understand. */
const endless = 1e6

/** Reads the options of the command line. Without seeds they are drawn at random, and the run prints them. */
export const readOptions = (): FaultOptions => {
  const program = command('fault', 'Breaks the service in simulation and in real processes, and counts what was lost.')
    .option('--seeds <count>', 'simulate so many random seeds', whole, 1)
    .option('--seed <number>', 'simulate this seed, also several times', (text, before: number[] = []) => [
      ...before,
      whole(text),
    ])
    .option('--scenario <number>', 'repeat one simulated life of --seed', whole)
    .option('--faults <count>', 'end the simulation after so many faults; without a limit 200000', whole)
    .option('--minutes <minutes>', 'end the simulation after this time; without a limit 6', amount)
    .option('--lanes <count>', 'threads of the simulation', whole, 2)
    .option('--kills <count>', 'kills of real processes', whole, 60)
    .option('--chain-faults <count>', 'faults of a real node', whole, 42)
    .option('--processes <count>', 'instead, break so many processes on one PostgreSQL server', whole, 1)
    .option('--upgrade [commits...]', 'instead, upgrade from these commits, or from the newest with an earlier schema, and back')
    .option('--failover', 'instead, fail over a PostgreSQL cluster; installs patroni, etcd and haproxy from Debian', false)
    .option('--plans', 'have users ask for several things at once in every simulated life', false)
    .option('--planted <words>', 'look only for the planted bugs with these words in their names')
    .option('--no-planted', 'leave out the planted bugs')
    .option('--no-sim', 'leave out the simulation')
    .option('--no-real', 'leave out the real processes')
    .option('--json', 'end with the figures as JSON', false)
    .parse()
  const { seed, seeds, minutes, faults, ...rest } = program.opts<Given>()
  if (rest.scenario !== undefined && !seed) program.error('--scenario repeats a life of --seed: name it')
  return {
    ...rest,
    seeds: seed ?? Array.from({ length: seeds }, () => randomInt(maxSeed)),
    // A given limit is used in full.
    minutes: minutes ?? (faults === undefined ? usual.minutes : endless),
    faults: faults ?? (minutes === undefined ? usual.faults : Number.POSITIVE_INFINITY),
  }
}
