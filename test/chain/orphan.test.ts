import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { endOrphan } from '../../src/chain/embedded/devnode/orphan.ts'

/** More than any process id on Linux. */
const ended = 2 ** 23

test('a node that an earlier release noted in a file is ended, unless its service is alive', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'marketplace-orphan-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  const node = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', 'anvil', '--cache-path', dir])
  onTestFinished(() => void node.kill('SIGKILL'))
  const exit = once(node, 'exit')
  const note = (owner: number) => writeFile(join(dir, 'anvil.pid'), JSON.stringify({ pid: node.pid, owner }))
  await note(process.pid)
  await expect(endOrphan(dir)).rejects.toThrow(`in use by process ${process.pid}`)
  await note(ended)
  await endOrphan(dir)
  expect(await exit).toEqual([null, 'SIGKILL'])
})
