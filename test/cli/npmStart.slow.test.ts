import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../freePort.ts'
import { until } from '../service.ts'
import { processesWith } from './program.ts'

const root = join(import.meta.dirname, '../..')

test.each(['SIGTERM', 'SIGINT'] as const)('npm start ends with its service and its chain at %s', async signal => {
  const dir = await mkdtemp(join(tmpdir(), 'marketplace-npm-'))
  const port = await freePort()
  const env = { ...process.env, PORT: `${port}`, DATA_DIR: dir, LOCAL_AGENTS: '', LOG_LEVEL: 'error' }
  const child = spawn('npm', ['start'], { cwd: root, env, stdio: 'ignore' })
  const own = () => processesWith(`DATA_DIR=${dir}`)
  onTestFinished(async () => {
    for (const pid of own() ?? []) process.kill(pid, 'SIGKILL')
    await rm(dir, { recursive: true, force: true })
  })
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      it => it.ok,
      () => false,
    )
  await until('the service', isReady)
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
  expect(await isReady()).toBe(false)
  expect(own() ?? []).toEqual([])
})
