// Prints benchmark figures: `node test/load/main.ts <what> [--json]`. The test suite does not run it.
import { Command, Option } from 'commander'
import { benchAbuse } from './abuse.ts'
import { type AttackName, attackNames } from './attacks.ts'
import { benchChain } from './chain.ts'
import { benchGateway } from './gateway.ts'
import { benchPage } from './page.ts'
import { benchSupply } from './supply.ts'
import { benchX402 } from './x402.ts'

const whole = (text: string) => Number.parseInt(text, 10)

const program = new Command('bench').description('Measures the service on this machine.')
program
  .command('chain')
  .description('transactions a second from intents to receipts on the embedded chain, beside a plain viem client')
  .option('--count <transactions>', 'how many of our own, 64 jobs at once', whole, 10_000)
  .option('--few <transactions>', 'how many of our own, 8 jobs at once', whole, 2_400)
  .option('--naive <transactions>', 'how many of the plain client, 64 jobs at once', whole, 10_000)
  .option('--seconds <seconds>', 'begin nothing new after this time', whole, 240)
  .option('--json', 'print the last line only', false)
  .action(async (options: { count: number; few: number; naive: number; seconds: number; json: boolean }) => {
    const say = (line: string) => {
      if (!options.json) process.stdout.write(`${line}\n`)
    }
    process.stdout.write(`${JSON.stringify(await benchChain({ ...options, say }))}\n`)
  })

program
  .command('gateway')
  .description('polls, long polls and event streams of many agents, beside a bare route of the same framework')
  .option('--agents <count>', 'agents that poll every three seconds', whole, 10_000)
  .option('--waiting <count>', 'polls that wait for a job', whole, 1_000)
  .option('--streams <count>', 'open event streams', whole, 5_000)
  .option('--seconds <seconds>', 'of polling, and of events', whole, 12)
  .option('--json', 'print the last line only', false)
  .action(async (options: { agents: number; waiting: number; streams: number; seconds: number; json: boolean }) => {
    const say = (line: string) => {
      if (!options.json) process.stdout.write(`${line}\n`)
    }
    process.stdout.write(`${JSON.stringify(await benchGateway({ ...options, say }))}\n`)
  })

program
  .command('abuse')
  .description('hires of one user while somebody else abuses the service, beside hires in quiet')
  .addOption(new Option('--attack <name>', 'this attack alone').choices(attackNames))
  .option('--hires <count>', 'hires in quiet, and under each attack', whole, 20)
  .option('--json', 'print the last line only', false)
  .action(async (options: { attack?: AttackName; hires: number; json: boolean }) => {
    const say = (line: string) => {
      if (!options.json) process.stdout.write(`${line}\n`)
    }
    process.stdout.write(`${JSON.stringify(await benchAbuse({ ...options, say }))}\n`)
  })

program
  .command('x402')
  .description('paid calls of a stock x402 client, one at a time and all at once, beside the same call for nothing')
  .option('--calls <count>', 'paid calls at once', whole, 200)
  .option('--json', 'print the last line only', false)
  .action(async (options: { calls: number; json: boolean }) => {
    const say = (line: string) => {
      if (!options.json) process.stdout.write(`${line}\n`)
    }
    process.stdout.write(`${JSON.stringify(await benchX402({ ...options, say }))}\n`)
  })

program
  .command('supply')
  .description('from an empty folder to the first paid job of a wrapped MCP server: what each command takes')
  .option('--json', 'print the last line only', false)
  .action(async (options: { json: boolean }) => {
    const say = (line: string) => {
      if (!options.json) process.stdout.write(`${line}\n`)
    }
    process.stdout.write(`${JSON.stringify(await benchSupply({ say }))}\n`)
  })

program
  .command('page')
  .description('size of the page, findings of axe, and the first streamed word beside a bare load of the page')
  .option('--rounds <count>', 'how often each is measured', whole, 5)
  .action(async (options: { rounds: number }) => {
    process.stdout.write(`${JSON.stringify(await benchPage(options))}\n`)
  })

await program.parseAsync()
