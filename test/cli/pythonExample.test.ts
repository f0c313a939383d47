import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { main } from './program.ts'

test('the Python example of the documentation is the agent that init writes, which a test runs and pays', () => {
  const cwd = mkdtempSync(join(tmpdir(), 'marketplace-python-'))
  const env = { ...process.env, XDG_CONFIG_HOME: cwd }
  execFileSync(process.execPath, [main, 'agent', 'init', '--language', 'python'], { cwd, env, stdio: 'ignore' })
  const example = new URL('../../docs/examples/python/agent.py', import.meta.url)
  expect(readFileSync(example, 'utf8')).toBe(readFileSync(join(cwd, 'agent.py'), 'utf8'))
})
