import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { dayMs } from '../../src/domain/durations.ts'
import { limits } from '../../src/domain/limits.ts'
import { ask, rested } from '../hire/market.ts'
import { createTestClock, startTestService } from '../service.ts'
import { leaseShrinking } from './leases.ts'
import { png, upload } from './wire.ts'

test('the files of a job stay as long as its texts, and go with them', async () => {
  const clock = createTestClock()
  const days = 30
  const market = await startTestService({ clock, env: { RETENTION_DAYS: String(days) } })
  onTestFinished(market.stop)
  const user = await market.user('ada')
  const { agent, job, runId } = await leaseShrinking(market, user)
  const at = { url: market.url, token: agent.token }
  const made = await upload(at, { bytes: png, name: 'small.png', path: `/gateway/jobs/${job.job_id}/files` })
  await ask(at, '/gateway/jobs/complete', { body: { job_id: job.job_id, deliverable: { small: made.file_id } } })
  expect((await rested(user, runId)).job?.state).toBe('settled')

  const { wakeups, store } = market.service.world.deps
  const kept = async () => {
    const files = (await readdir(join(market.dir, 'files'), { recursive: true, withFileTypes: true })).filter(it => it.isFile())
    return [files.length, (await store.filesOfJob(job.job_id, 'deliverable')).length]
  }
  await upload({ url: market.url, token: user.token }, { bytes: Buffer.from('of no job'), name: 'other.txt' })
  expect(await kept()).toEqual([3, 1])
  clock.advance(limits.fileKeepMs + dayMs, wakeups)
  await expect.poll(kept, { timeout: 20_000 }).toEqual([2, 1])
  clock.advance(days * dayMs, wakeups)
  const gone = async () => {
    wakeups.notify('deadlines')
    return kept()
  }
  await expect.poll(gone, { timeout: 20_000, interval: 200 }).toEqual([0, 0])
}, 60_000)
