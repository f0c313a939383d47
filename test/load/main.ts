// Prints benchmark figures. The test suite does not run it.
import { Option } from 'commander'
import { command, print, whole } from '../command.ts'
import { benchAbuse } from './abuse.ts'
import { attackNames } from './attacks.ts'
import { benchChain } from './chain.ts'
import { benchFileCrowd } from './fileCrowd.ts'
import { benchFiles } from './files.ts'
import { benchGateway } from './gateway.ts'
import { benchHire } from './hire.ts'
import { benchHostileFiles } from './hostileFiles.ts'
import { benchLists } from './lists.ts'
import { benchMigrations } from './migrations.ts'
import { benchOutside } from './outside.ts'
import { benchPage } from './page.ts'
import { benchScale } from './scale.ts'
import { benchSupply } from './supply.ts'
import { benchTinyFiles } from './tinyFiles.ts'
import { benchTurn } from './turn.ts'
import { benchDropped, benchX402 } from './x402.ts'

const program = command('bench', 'Measures the service on this machine.')

/** A measurement by its name. Its figures are the last line, as JSON. */
const part = (name: string, description: string) =>
  program.command(name).description(description).option('--json', 'print the last line only', false)

/** Measures, and tells meanwhile what is measured. */
const measuring =
  <O extends { say(line: string): void }>(measure: (options: O) => Promise<unknown>) =>
  async (options: O & { json: boolean }) => {
    const say = (line: string) => {
      if (!options.json) print(line)
    }
    print(JSON.stringify(await measure({ ...options, say })))
  }

part('chain', 'transactions a second from intents to receipts on the embedded chain, beside a plain viem client')
  .option('--count <transactions>', 'how many of our own, 64 jobs at once', whole, 10_000)
  .option('--few <transactions>', 'how many of our own, 8 jobs at once', whole, 2_400)
  .option('--naive <transactions>', 'how many of the plain client, 64 jobs at once', whole, 10_000)
  .option('--seconds <seconds>', 'begin nothing new after this time', whole, 240)
  .action(measuring(benchChain))

part('gateway', 'polls, long polls and event streams of many agents, beside a bare route of the same framework')
  .option('--agents <count>', 'agents that poll every three seconds', whole, 10_000)
  .option('--waiting <count>', 'polls that wait for a job', whole, 1_000)
  .option('--streams <count>', 'open event streams', whole, 5_000)
  .option('--seconds <seconds>', 'of polling, and of events', whole, 12)
  .action(measuring(benchGateway))

part('files', 'uploads and downloads of one file, beside a bare server that hashes and encrypts')
  .option('--megabytes <size>', 'of the file', whole, 100)
  .option('--rounds <count>', 'how often each is measured', whole, 5)
  .action(measuring(benchFiles))

part('file-crowd', 'polls and hires of others, and memory, while many users send mixed files at once and fetch them')
  .option('--megabytes <size>', 'of all files together', whole, 1_024)
  .option('--users <count>', 'who send at once', whole, 50)
  .option('--hires <count>', 'hires in quiet', whole, 20)
  .option('--nice <priority>', 'of the users with files; 0 on a machine with other load', whole, 19)
  .action(measuring(benchFileCrowd))

part(
  'tiny-files',
  'many tiny files of one user, of one provider and of one service: what stays, and how long lists and others take',
)
  .option('--count <files>', 'of each', whole, 100_000)
  .action(measuring(benchTinyFiles))

part(
  'hostile-files',
  'files and readers that attack: scripts that ran, bytes that strangers read, and bounds that were exceeded',
).action(measuring(benchHostileFiles))

part('hire', 'processor time of the service, statements, and bytes kept for each whole hire')
  .option('--hires <count>', 'measured hires', whole, 100)
  .option('--at-once <count>', 'hires of the user at once', whole, 4)
  .option('--warm-ups <count>', 'hires before that are not measured', whole, 20)
  .option('--counted <count>', 'hires one at a time whose statements are counted', whole, 5)
  .option('--database-url <url>', 'an empty PostgreSQL database in place of a file')
  .option('--database-delay <ms>', 'how far away that database is, in each direction', whole, 0)
  .option('--profile <folder>', 'write a CPU profile of the service there')
  .action(measuring(benchHire))

part('lists', 'lists and counts of a market with many offerings and jobs')
  .option('--agents <count>', 'agents with five offerings each', whole, 20_000)
  .option('--jobs <count>', 'settled jobs', whole, 100_000)
  .option('--rounds <count>', 'how often each is requested', whole, 11)
  .option('--database-url <url>', 'an empty PostgreSQL database in place of a file')
  .action(measuring(benchLists))

part('scale', 'hires of several processes on one PostgreSQL server and one node')
  .option('--processes <counts>', 'how many, separated by commas', list => list.split(',').map(whole), [1, 2, 4])
  .option('--hires <count>', 'measured hires of each', whole, 100)
  .option('--warm-ups <count>', 'hires before that are not measured, for each process', whole, 20)
  .option('--users <count>', 'users, each with one hire at a time', whole, 4)
  .option('--database-delay <ms>', 'how far away the database is, in each direction', whole, 0)
  .action(measuring(benchScale))

part('migrations', 'how long the next release migrates a PostgreSQL database with the rows of so many hires')
  .option('--hires <counts>', 'how many, separated by commas', list => list.split(',').map(whole), [10_000, 100_000])
  .option('--from <version>', 'the schema before', whole, 41)
  .action(measuring(benchMigrations))

part('abuse', 'hires of one user while somebody else abuses the service, beside hires in quiet')
  .addOption(new Option('--attack <name>', 'this attack alone').choices(attackNames))
  .option('--hires <count>', 'hires in quiet, and under each attack', whole, 20)
  .option('--nice <priority>', 'of the attacker; 0 on a machine with other load, where an idle process gets no time', whole, 19)
  .action(measuring(benchAbuse))

part('x402', 'paid calls of a stock x402 client, one at a time and all at once, beside the same call for nothing')
  .option('--calls <count>', 'paid calls at once', whole, 200)
  .option('--dropped <count>', 'instead, so many paid calls whose answers are dropped', whole)
  .action(
    measuring(({ dropped, ...of }: { calls: number; dropped?: number; say(line: string): void }) =>
      dropped === undefined ? benchX402(of) : benchDropped({ ...of, calls: dropped }),
    ),
  )

part('outside', 'a catalogue of other services, most of them dead: what is shown, what it costs to find it, and what is paid')
  .option('--listings <count>', 'entries of the catalogue', whole, 2_000)
  .option('--hosts <count>', 'ports that serve them', whole, 100)
  .option('--searches <count>', 'measured searches', whole, 100)
  .action(measuring(benchOutside))

part('supply', 'from an empty folder to the first paid job of a wrapped MCP server: what each command takes').action(
  measuring(benchSupply),
)

part('page', 'size of the page, its load beside a bare page and on a slow line, layout shift, axe, and the first streamed word')
  .option('--rounds <count>', 'how often each is measured', whole, 5)
  .action(measuring((of: { rounds: number; say(line: string): void }) => benchPage(of)))

part('turn', 'processor time and latency of a turn of the butler, beside a fixed piece of work')
  .option('--offerings <count>', 'offerings in the market', whole, 5_000)
  .option('--conversations <count>', 'conversations of three turns', whole, 100)
  .option('--tasks <count>', 'requests in each first message', whole, 1)
  .option('--played', 'with a language model that answers at once, in place of none', false)
  .action(measuring(benchTurn))

await program.parseAsync()
