import { resolve } from 'node:path'
import type { Command } from 'commander'
import { readConfig } from './config.ts'

// Each command loads its own modules, because loading all of them takes a second.

const rotate = async () => {
  const config = readConfig(process.env)
  const { rotateMasterKey } = await import('./rotateMasterKey.ts')
  const count = await rotateMasterKey({ ...config, newMasterKey: process.env.NEW_MASTER_KEY || undefined })
  const next = config.masterKey
    ? 'Set MASTER_KEY to the new key before the next start.'
    : `The new key is in ${resolve(config.dataDir)}.`
  console.log(`${count} secrets are sealed under the new master key. ${next} Earlier backups need the earlier key.`)
}

const deploy = async ({ chain, settings, yes, json }: { chain: number; settings: string; yes: boolean; json: boolean }) => {
  const { deployContracts } = await import('./operator/deployContracts.ts')
  const { confirm } = await import('./cli/market/confirm.ts')
  const out = json ? process.stderr : process.stdout
  const done = await deployContracts({
    config: readConfig(process.env),
    chainId: chain,
    settingsFile: resolve(settings),
    say: line => void out.write(`${line}\n`),
    confirm: question => (yes ? Promise.resolve(true) : confirm(question, out)),
  })
  if (!done) {
    process.exitCode = 1
    console.error('Nothing was deployed. Say yes with --yes, or in a terminal.')
  }
  if (json) console.log(JSON.stringify(done ?? { deployed: [] }))
}

const backUp = async (folder: string) => {
  const { backUp } = await import('./operator/backup.ts')
  console.log(`${folder} has ${(await backUp(readConfig(process.env), folder)).join(' and ')}.`)
}

const restore = async (folder: string) => {
  const { restore } = await import('./operator/backup.ts')
  const config = readConfig(process.env)
  console.log(`${config.dataDir} has ${(await restore(config, folder)).join(' and ')}. Start the service.`)
}

const prune = async ({ dryRun, json }: { dryRun: boolean; json: boolean }) => {
  const { describePruned, prune } = await import('./operator/prune.ts')
  const pruned = await prune(readConfig(process.env), { dryRun })
  console.log(json ? JSON.stringify({ dry_run: dryRun, ...pruned }) : describePruned(pruned, { dryRun }))
}

const marks = { ok: 'ok     ', warning: 'warning', wrong: 'WRONG  ' } as const

const doctor = async ({ json }: { json: boolean }) => {
  const { examine } = await import('./operator/doctor/doctor.ts')
  const findings = await examine(process.env)
  const healthy = findings.every(it => it.level !== 'wrong')
  if (!healthy) process.exitCode = 1
  if (json) return console.log(JSON.stringify({ healthy, findings }))
  for (const { level, check, words, remedy } of findings) {
    console.log(`${marks[level]} ${check.padEnd(16)} ${words}`)
    if (remedy) console.log(`${' '.repeat(25)}→ ${remedy}`)
  }
}

const treasury = async ({ json }: { json: boolean }) => {
  const { describeTreasury, readTreasury } = await import('./operator/treasury.ts')
  const wallets = await readTreasury(readConfig(process.env), process.env.SERVICE_ENDPOINT)
  console.log(json ? JSON.stringify({ wallets }) : describeTreasury(wallets))
}

export const addOperatorCommands = (program: Command): void => {
  const words = 'seal every secret under a new master key; stop the service first'
  program.command('rotate-master-key').description(words).action(rotate)
  const operator =
    program.commands.find(it => it.name() === 'operator') ??
    program.command('operator').description('look after a service: contracts, backups, keys and old records')
  operator
    .command('deploy')
    .description('deploy what a public chain lacks: escrow, registries, launchpad of agent tokens')
    .requiredOption('--chain <id>', 'id of the chain; its node is RPC_URL_<id>', Number)
    .option('--settings <file>', 'file that gets the addresses', '.env')
    .option('--yes', 'deploy without a question', false)
    .option('--json', 'print one JSON object as the last line', false)
    .action(deploy)
  operator
    .command('backup')
    .description('copy the database and the master key, also while the service runs')
    .argument('<folder>', 'where the copy is made')
    .action(backUp)
  operator
    .command('restore')
    .description('put a backup into an empty DATA_DIR')
    .argument('<folder>', 'the folder of the backup')
    .action(restore)
  operator
    .command('doctor')
    .description('say what of the settings, the machine, the database, the keys and the chains would stop the service')
    .option('--json', 'print one JSON object', false)
    .action(doctor)
  operator
    .command('treasury')
    .description('what the wallets of the running service have, how long it lasts, and how to fill them')
    .option('--json', 'print one JSON object', false)
    .action(treasury)
  operator
    .command('prune')
    .description('remove the texts of runs that ended more than RETENTION_DAYS ago')
    .option('--dry-run', 'only count what would be removed, also while the service runs', false)
    .option('--json', 'print one JSON object', false)
    .action(prune)
  operator.command('rotate-master-key').description(words).action(rotate)
}
