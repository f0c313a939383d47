import { readFile, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { command, print } from '../command.ts'
import { goals, measureGas } from './gas.ts'

const file = new URL('gas.json', import.meta.url)

/** The recorded figures of gas.json. */
export const readKeptGas = async (): Promise<Record<string, number>> =>
  z.record(z.string(), z.number()).parse(JSON.parse(await readFile(file, 'utf8')))

/** The figures of the JSON output, for comparison with other projects. */
const compared = [
  ...['job_five_calls', 'job_one_tx', 'hire_one_tx', 'register', 'x402_settle'],
  ...['validation', 'validation_request', 'validation_response'],
  ...['token_launch', 'token_first_buy', 'token_buy', 'token_sell'],
]

const toTable = (gas: Record<string, number>): string =>
  Object.entries(gas)
    .map(
      ([name, used]) => `${name.padEnd(20)}${used.toLocaleString('en').padStart(10)}  of ${goals[name]?.toLocaleString('en')}\n`,
    )
    .join('')

if (import.meta.main) {
  const values = command('gas', 'Measures the gas of each call of the contracts.')
    .option('--write', 'record the figures in gas.json', false)
    .option('--json', 'end with the figures as JSON', false)
    .parse()
    .opts<{ write: boolean; json: boolean }>()
  const gas = await measureGas()
  process.stdout.write(toTable(gas))
  if (values.write) await writeFile(file, `${JSON.stringify(gas, undefined, 2)}\n`)
  if (values.json) print(JSON.stringify(Object.fromEntries(compared.map(name => [name, gas[name]]))))
}
