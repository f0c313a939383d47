import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { isElsewhere, keyElsewhere, keyIdOfSealed, keyIdOfText } from '../../chain/signing/secrets.ts'
import type { Config } from '../../config.ts'
import { minuteMs } from '../../domain/durations.ts'
import type { Address } from '../../domain/hex.ts'
import { type Finding, ok, warning, wrong } from '../../domain/offerings/diagnosis.ts'
import { isThere } from '../../process/folder.ts'
import { systemClock } from '../../process/system.ts'
import { anySealed } from '../../store/access/sealed.ts'
import { rowOf } from '../../store/engine/rows.ts'
import { migrations } from '../../store/schema/schema.ts'
import { readStore, type StoreReader } from '../../store/store.ts'

/** The service's own wallets, and the chains that the database belongs to; empty before the first start. */
export type Known = { treasury?: Address | undefined; evaluator?: Address | undefined }
type Checked = { findings: Finding[]; wallets: Known }

/** Differences between the clocks in ms that are worth a warning, and that break leases and deadlines. */
const skewMs = 2_000
const maxSkewMs = minuteMs

/** Checks the database, the clock of its server, and whether the master key opens its secrets. */
export const checkDatabase = async (config: Config): Promise<Checked> => {
  const { dataDir, databaseUrl: url } = config
  const file = join(dataDir, 'market.db')
  if (!url && !(await isThere(file)))
    return {
      findings: [ok('database', 'It is made at the first start.'), ...(await checkKeyFile(config, undefined))],
      wallets: {},
    }
  let reader: StoreReader | undefined
  try {
    reader = readStore({ ...(url ? { url } : { file }), clock: systemClock })
    return await readChecks(reader, config)
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    const remedy = url
      ? 'Check that the server of DATABASE_URL runs, and that name and password are right.'
      : 'Restore a backup: market operator restore.'
    return { findings: [wrong('database', `The database cannot be read: ${cause}`, remedy)], wallets: {} }
  } finally {
    await reader?.close()
  }
}

const versions = rowOf({ version: z.coerce.number().nullable() })
const times = rowOf({ now: z.coerce.number() })

const readChecks = async (reader: StoreReader, config: Config): Promise<Checked> => {
  const sentAt = Date.now()
  const { now = sentAt } = times.one(await reader.sql('select {NOW} as now')) ?? {}
  const clock = checkClock(now - (sentAt + Date.now()) / 2, config)
  const isNew = await reader.sql('select version from schema_migration limit 1').then(
    () => false,
    () => true,
  )
  if (isNew) {
    const made = ok('database', 'It answers. Its tables are made at the first start.')
    return { findings: [made, ...clock, ...(await checkKeyFile(config, undefined))], wallets: {} }
  }
  const { version } = versions.one(await reader.sql('select max(version) as version from schema_migration')) ?? {}
  const known = Math.max(...migrations.map(it => it.version))
  if ((version ?? 0) > known) {
    const words = `The database is at schema version ${version}; this release knows ${known}.`
    return { findings: [wrong('database', words, 'Start the newer release, or restore a backup made before it.')], wallets: {} }
  }
  const treasury = (await reader.tables.wallet('treasury', ''))?.address
  const evaluator = (await reader.tables.wallet('evaluator', ''))?.address
  const later = (version ?? 0) < known ? ` The next start migrates it to ${known}.` : ''
  return {
    findings: [
      ok('database', `It answers, at schema version ${version}.${later}`),
      ...clock,
      ...(await checkKeyFile(config, await anySealed(reader))),
    ],
    wallets: { treasury, evaluator },
  }
}

const checkClock = (skew: number, { databaseUrl }: Config): Finding[] => {
  if (!databaseUrl) return []
  const seconds = (Math.abs(skew) / 1_000).toFixed(1)
  const words = `The clocks of this machine and the database server differ by ${seconds} s.`
  const remedy = 'Let both follow a time server (NTP).'
  if (Math.abs(skew) > maxSkewMs) return [wrong('clock', words, remedy)]
  return [Math.abs(skew) > skewMs ? warning('clock', words, remedy) : ok('clock', words)]
}

const othersMay = 0o077
const isKey = (text: string) => /^[0-9a-f]{64}$/i.test(text.trim().replace(/^0x/, ''))

const checkKeyFile = async ({ dataDir, masterKey, databaseUrl }: Config, sealed: string | undefined): Promise<Finding[]> => {
  const file = join(dataDir, 'master.key')
  const text = masterKey ?? (await readFile(file, 'utf8').catch(() => undefined))
  if (text === undefined && sealed !== undefined)
    return [
      wrong('master key', `There is no ${file}, and the database has sealed keys.`, 'Put the file back, or set MASTER_KEY.'),
    ]
  if (text === undefined && isElsewhere(databaseUrl)) return [wrong('master key', `There is no ${file}.`, keyElsewhere)]
  if (text === undefined) return [ok('master key', `${file} is made at the first start.`)]
  if (!isKey(text))
    return [wrong('master key', `The master key in ${file} is not 64 hex digits.`, 'Restore the file from a backup.')]
  if (sealed !== undefined && keyIdOfSealed(sealed) !== keyIdOfText(text))
    return [
      wrong(
        'master key',
        `The keys are sealed with master key ${keyIdOfSealed(sealed)}, and the given one is ${keyIdOfText(text)}.`,
        'Use the earlier key, or finish market operator rotate-master-key.',
      ),
    ]
  const mode = masterKey ? 0 : (await stat(file)).mode
  if (mode & othersMay) return [wrong('master key', `Other accounts of this machine may read ${file}.`, `Run chmod 600 ${file}.`)]
  return [ok('master key', sealed === undefined ? 'It can be read.' : 'It opens the keys of the database.')]
}
