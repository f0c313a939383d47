import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { backUp, restore } from '../../src/operator/backup.ts'
import { startService } from '../../src/service.ts'
import { balancesOf, paymentsOf, plain, readRun, rested, talk } from '../hire/market.ts'
import { readerDir } from '../reader.ts'
import { openUser, startTestService, type User } from '../service.ts'

const newFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'marketplace-backup-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test('a backup of a running service is a service with the same runs, payments and balances', async () => {
  const market = await startTestService()
  onTestFinished(market.stop)
  const agent = await market.agent({ handle: 'poet', offerings: [plain('0.5')], handler: async () => 'An old silent pond' })
  const user = await market.user('ann')
  const chat = talk(user)
  await chat.say('Hire agent poet to write a haiku')
  const { run_id: runId } = await chat.say('yes')
  const run = await rested(user, runId)
  expect(run.job?.state).toBe('settled')
  const holdings = async (of: User) => {
    const { user, escrow } = await balancesOf(of)
    return { user, escrow }
  }
  const [paid, held] = [await paymentsOf(user, runId), await holdings(user)]

  const folder = join(await newFolder(), 'backup')
  expect(await backUp(readConfig({ DATA_DIR: market.dir }), folder)).toEqual(['master.key', 'market.db'])
  expect((await stat(join(folder, 'market.db'))).mode & 0o077).toBe(0)
  await expect(backUp(readConfig({ DATA_DIR: market.dir }), folder)).rejects.toThrow('has a backup already')
  await agent.stop()

  const dataDir = join(await newFolder(), 'data')
  const config = { ...readConfig({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error' }), readerDir }
  await restore(config, folder)
  await expect(restore(config, folder)).rejects.toThrow('is not empty')
  const service = await startService({ config })
  onTestFinished(service.stop)
  const same = await openUser(service.url, join(market.dir, 'ann.json'))
  expect(same.proxy).toBe(user.proxy)
  expect((await readRun(same, runId)).job?.state).toBe('settled')
  expect([await paymentsOf(same, runId), await holdings(same)]).toEqual([paid, held])
})

test('nothing is restored from a folder without a whole backup', async () => {
  const [folder, dataDir] = [await newFolder(), join(await newFolder(), 'data')]
  await expect(restore(readConfig({ DATA_DIR: dataDir }), folder)).rejects.toThrow('no whole backup')
  await expect(readdir(dataDir)).rejects.toThrow('ENOENT')
})

test('a PostgreSQL database is left to the tools of PostgreSQL', async () => {
  const config = readConfig({ DATABASE_URL: 'postgres://localhost/market' })
  await expect(backUp(config, await newFolder())).rejects.toThrow('pg_dump')
  await expect(restore(config, await newFolder())).rejects.toThrow('pg_restore')
})
