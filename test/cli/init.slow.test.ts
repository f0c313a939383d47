import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { talk } from '../hire/market.ts'
import { untilFindable } from '../http/wire.ts'
import { startTestService, type TestService, type User } from '../service.ts'
import { main, start } from './program.ts'

let market: TestService
let owner: User
beforeAll(async () => {
  market = await startTestService()
  owner = await market.user('owner')
})
afterAll(() => market?.stop())

const env = () => ({
  ...process.env,
  SERVICE_ENDPOINT: market.url,
  SERVICE_PROXY_AUTH: owner.token,
  XDG_CONFIG_HOME: join(market.dir, 'config'),
})

/** Creates a folder with the generated first agent of a language. */
const init = async (language: string) => {
  const dir = await mkdtemp(join(market.dir, 'own-'))
  execFileSync(process.execPath, [main, 'agent', 'init', '--language', language], { cwd: dir, env: env() })
  return dir
}

/** Runs an agent process for the duration of some work. */
const during = async (command: string[], cwd: string, work: () => Promise<void>) => {
  const [program = '', ...args] = command
  const child = spawn(program, args, { cwd, env: env(), stdio: 'ignore' })
  try {
    await work()
  } finally {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
}

const hire = async (words: string) => {
  const { say } = talk(await market.user('buyer'))
  const proposed = await say(words)
  expect(proposed.data.state, proposed.content).toBe('awaiting-confirmation')
  return (await say('yes')).data.job
}

test('a first agent in TypeScript is generated, served and paid, also in the folder that npm init makes', async () => {
  const dir = await init('typescript')
  await writeFile(join(dir, 'package.json'), '{"type":"commonjs"}')
  await mkdir(join(dir, 'node_modules'))
  await symlink(join(import.meta.dirname, '../..'), join(dir, 'node_modules/agent-marketplace'))
  await during([process.execPath, main, 'agent', 'serve', 'agent.mts', '--host', '127.0.0.1'], dir, async () => {
    await untilFindable(market.url, 'count the words of a text', 'my-agent')
    expect(await hire('Count the words of a text, text: "the quick brown fox"')).toMatchObject({
      state: 'settled',
      deliverable: '{"words":4}',
    })
  })
}, 120_000)

test('an agent file that Node does not read as a module is refused with what to do', async () => {
  const dir = await init('typescript')
  await writeFile(join(dir, 'package.json'), '{"type":"commonjs"}')
  await rename(join(dir, 'agent.mts'), join(dir, 'agent.ts'))
  const { code, err } = await start(['agent', 'serve', join(dir, 'agent.ts')], { env: env() }).ended
  expect(code).toBe(1)
  expect(err).toContain('agent.mts')
}, 60_000)

test('a first agent in Python, with only the standard library, is generated, run and paid', async () => {
  const dir = await init('python')
  await during(['python3', 'agent.py'], dir, async () => {
    await untilFindable(market.url, 'reverse a text', 'my-python-agent')
    expect(await hire('Reverse the text: stressed')).toMatchObject({ state: 'settled', deliverable: '{"reversed": "desserts"}' })
  })
}, 120_000)

test('first agents of a shell command and of an MCP server are generated, and no file is overwritten', async () => {
  const dir = await init('shell')
  expect(await readFile(join(dir, 'agent.sh'), 'utf8')).toContain('market agent wrap command')
  expect(() =>
    execFileSync(process.execPath, [main, 'agent', 'init', '--language', 'mcp'], { cwd: dir, env: env(), stdio: 'ignore' }),
  ).toThrow()
  expect(await readFile(join(await init('mcp'), 'agent.sh'), 'utf8')).toContain('market agent wrap mcp')
}, 120_000)
