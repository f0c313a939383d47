// Prints benchmark figures: `node test/load/main.ts <what> [--json]`. The test suite does not run it.
import { Command, Option } from 'commander'
import { benchAbuse } from './abuse.ts'
import { type AttackName, attackNames } from './attacks.ts'
import { benchChain } from './chain.ts'
import { benchGateway } from './gateway.ts'
import { benchHire } from './hire.ts'
import { benchLists } from './lists.ts'
import { benchPage } from './page.ts'
import { benchScale } from './scale.ts'
import { benchSupply } from './supply.ts'
import { benchTurn } from './turn.ts'
import { benchDropped, benchX402 } from './x402.ts'

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
  .command('hire')
  .description('processor time of the service and bytes kept for each whole hire')
  .option('--hires <count>', 'measured hires', whole, 100)
  .option('--at-once <count>', 'hires of the user at once', whole, 4)
  .option('--warm-ups <count>', 'hires before that are not measured', whole, 20)
  .option('--profile <folder>', 'write a CPU profile of the service there')
  .option('--json', 'print the last line only', false)
  .action(async (options: { hires: number; atOnce: number; warmUps: number; profile?: string; json: boolean }) => {
    const say = (line: string) => {
      if (!options.json) process.stdout.write(`${line}\n`)
    }
    process.stdout.write(`${JSON.stringify(await benchHire({ ...options, say }))}\n`)
  })

program
  .command('lists')
  .description('lists and counts of a market with many offerings and jobs')
  .option('--agents <count>', 'agents with five offerings each', whole, 20_000)
  .option('--jobs <count>', 'settled jobs', whole, 100_000)
  .option('--rounds <count>', 'how often each is requested', whole, 11)
  .option('--database-url <url>', 'an empty PostgreSQL database in place of a file')
  .option('--json', 'print the last line only', false)
  .action(async (options: { agents: number; jobs: number; rounds: number; databaseUrl?: string; json: boolean }) => {
    const say = (line: string) => {
      if (!options.json) process.stdout.write(`${line}\n`)
    }
    process.stdout.write(`${JSON.stringify(await benchLists({ ...options, say }))}\n`)
  })

program
  .command('scale')
  .description('hires of several processes on one PostgreSQL server and one node')
  .option('--processes <counts>', 'how many, separated by commas', list => list.split(',').map(whole), [1, 2, 4])
  .option('--hires <count>', 'measured hires of each', whole, 100)
  .option('--warm-ups <count>', 'hires before that are not measured, for each process', whole, 20)
  .option('--users <count>', 'users, each with one hire at a time', whole, 4)
  .option('--json', 'print the last line only', false)
  .action(async (options: { processes: number[]; hires: number; warmUps: number; users: number; json: boolean }) => {
    const say = (line: string) => {
      if (!options.json) process.stdout.write(`${line}\n`)
    }
    process.stdout.write(`${JSON.stringify(await benchScale({ ...options, say }))}\n`)
  })

program
  .command('abuse')
  .description('hires of one user while somebody else abuses the service, beside hires in quiet')
  .addOption(new Option('--attack <name>', 'this attack alone').choices(attackNames))
  .option('--hires <count>', 'hires in quiet, and under each attack', whole, 20)
  .option('--nice <priority>', 'of the attacker; 0 on a machine with other load, where an idle process gets no time', whole, 19)
  .option('--json', 'print the last line only', false)
  .action(async (options: { attack?: AttackName; hires: number; nice: number; json: boolean }) => {
    const say = (line: string) => {
      if (!options.json) process.stdout.write(`${line}\n`)
    }
    process.stdout.write(`${JSON.stringify(await benchAbuse({ ...options, say }))}\n`)
  })

program
  .command('x402')
  .description('paid calls of a stock x402 client, one at a time and all at once, beside the same call for nothing')
  .option('--calls <count>', 'paid calls at once', whole, 200)
  .option('--dropped <count>', 'instead, so many paid calls whose answers are dropped', whole)
  .option('--json', 'print the last line only', false)
  .action(async (options: { calls: number; dropped?: number; json: boolean }) => {
    const say = (line: string) => {
      if (!options.json) process.stdout.write(`${line}\n`)
    }
    const { calls, dropped } = options
    const found = dropped === undefined ? await benchX402({ calls, say }) : await benchDropped({ calls: dropped, say })
    process.stdout.write(`${JSON.stringify(found)}\n`)
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
  .description('size of the page, its load beside a bare page and on a slow line, layout shift, axe, and the first streamed word')
  .option('--rounds <count>', 'how often each is measured', whole, 5)
  .option('--json', 'print the last line only, as it always does', false)
  .action(async (options: { rounds: number }) => {
    process.stdout.write(`${JSON.stringify(await benchPage(options))}\n`)
  })

program
  .command('turn')
  .description('processor time and latency of a turn of the butler without a language model, beside a fixed piece of work')
  .option('--offerings <count>', 'offerings in the market', whole, 5_000)
  .option('--conversations <count>', 'conversations of three turns', whole, 100)
  .option('--json', 'print the last line only', false)
  .action(async (options: { offerings: number; conversations: number; json: boolean }) => {
    const say = (line: string) => {
      if (!options.json) process.stdout.write(`${line}\n`)
    }
    process.stdout.write(`${JSON.stringify(await benchTurn({ ...options, say }))}\n`)
  })

await program.parseAsync()
