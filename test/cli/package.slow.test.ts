import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { cityClock } from '../../docs/examples/agents/cityClock.ts'
import { parseJson } from '../../src/domain/json.ts'
import { get } from '../http/wire.ts'
import { until } from '../service.ts'

const closers: (() => unknown)[] = []
const root = join(import.meta.dirname, '../..')
let dir: string

const needs = z.record(z.string(), z.string()).default({})
const entry = z.object({ dependencies: needs, peerDependencies: needs }).loose()
const lock = z.object({ packages: z.record(z.string(), entry) })

/** The packages that npm installs with the package: those that its dependencies need, and no optional peer. */
const installed = async (): Promise<string[]> => {
  const { packages } = lock.parse(parseJsonFile(await readFile(join(root, 'package-lock.json'), 'utf8')))
  const found = new Set<string>()
  const follow = (names: string[]) => {
    for (const name of names.filter(it => !found.has(it) && packages[`node_modules/${it}`])) {
      found.add(name)
      follow(Object.keys(packages[`node_modules/${name}`]?.dependencies ?? {}))
    }
  }
  follow(Object.keys(packages['']?.dependencies ?? {}))
  return [...found]
}
const parseJsonFile = (content: string): unknown => JSON.parse(content)

const link = async (name: string) => {
  await mkdir(dirname(join(dir, 'node_modules', name)), { recursive: true })
  await symlink(join(root, 'node_modules', name), join(dir, 'node_modules', name)).catch(() => undefined)
}

/** Packs the checkout. Returns the file and what is in it. */
const pack = async () => {
  execFileSync('npm', ['pack', '--loglevel=error', '--pack-destination', dir], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [tarball = ''] = (await readdir(dir)).filter(it => it.endsWith('.tgz'))
  return {
    tarball,
    files: execFileSync('tar', ['-tzf', join(dir, tarball)], { encoding: 'utf8' })
      .split('\n')
      .toSorted(),
  }
}

let packs: string[][]

/** Packs twice, and installs the second package into an empty folder, from files on this machine only. */
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'marketplace-package-'))
  const first = await pack()
  const { tarball, files } = await pack()
  packs = [first.files, files]
  await mkdir(join(dir, 'node_modules/agent-marketplace'), { recursive: true })
  execFileSync('tar', ['-xzf', join(dir, tarball), '--strip-components=1', '-C', join(dir, 'node_modules/agent-marketplace')])
  for (const name of await installed()) await link(name)
}, 300_000)
afterAll(() => rm(dir, { recursive: true, force: true }))

const program = () => join(dir, 'node_modules/agent-marketplace/dist/src/market.js')
const run = async (args: string[], env: Record<string, string>) => {
  const child = spawn(process.execPath, [program(), ...args], {
    cwd: dir,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code: child.exitCode, err, object: parseJson(out.trimEnd().split('\n').at(-1) ?? '') }
}

test('a checkout is packed again and again, with the same files', () => {
  const [first, second] = packs
  expect(second).toEqual(first)
  expect(second?.length).toBeGreaterThan(500)
})

test('an installed package includes no native part, no package of a demo agent and no development tool', async () => {
  const names = await installed()
  expect(names).toContain('hono')
  expect(
    names.filter(it =>
      /^(?:openai|@huggingface\/.*|@lancedb\/.*|@foundry-rs\/.*|node-linux-.*|rolldown|vitest|typescript|uqr)$/.test(it),
    ),
  ).toEqual([])
})

/** Hires with the typed client of the package, and ends with the state of the job. */
const typedProgram = `
  import { createClient } from 'agent-marketplace/client'
  declare const process: { argv: string[] }
  const [, , url = '', token = ''] = process.argv
  const client = createClient({ url, token })
  const asked = await client.POST('/invoke', { body: { message: 'What time is it in Oslo?' } })
  if (!asked.data) throw new Error(asked.error.detail)
  const { run_id, data: run } = asked.data
  // @ts-expect-error a decision is yes or no
  const wrong = await client.POST('/v1/hires/{run_id}/confirm', { params: { path: { run_id } }, body: { digest: '', decision: 'perhaps' } })
  const body = { digest: run.proposal?.digest ?? '', decision: 'yes' as const }
  const hired = await client.POST('/v1/hires/{run_id}/confirm', { params: { path: { run_id } }, body })
  console.log(JSON.stringify({ refused: wrong.response.status, state: hired.data?.job?.state }))`

/** Compiles a program of a user of the package in strict mode, with the types of the package checked too, and runs it. */
const compileAndRun = async (program: string, args: string[]) => {
  const target = ['--target', 'es2024', '--lib', 'es2024,dom,dom.iterable', '--module', 'nodenext', '--types', '']
  await writeFile(join(dir, 'typed.mts'), program)
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '--strict', ...target, 'typed.mts'], {
    cwd: dir,
    stdio: 'inherit',
  })
  const child = spawn(process.execPath, ['typed.mjs', ...args], { cwd: dir, stdio: ['ignore', 'pipe', 'inherit'] })
  return parseJson(await text(child.stdout))
}
const stored = z.object({ SERVICE_PROXY_AUTH: z.string() })
const storedToken = async () =>
  stored.parse(JSON.parse(await readFile(join(dir, 'config/agent-marketplace/config.json'), 'utf8'))).SERVICE_PROXY_AUTH

test('without its native parts the package names the command that adds them, and everything but the service works', async () => {
  const env = { PORT: '0', DATA_DIR: join(dir, 'data'), XDG_CONFIG_HOME: join(dir, 'config') }
  const { code, err } = await run(['start'], env)
  const command = /Run: npm install ((?:@foundry-rs\/anvil-|@lancedb\/lancedb-)[\w-]+@[\d.]+ ?)+$/m
  expect([code, err]).toEqual([1, expect.stringMatching(command)])
  expect((await run(['demo'], env)).err).toContain('in the repository only')
  expect((await run(['search', 'haiku', '--url', 'http://127.0.0.1:1'], env)).err).toContain('No service answers')
  for (const part of err.match(/@[\w-]+\/[\w-]+(?=@)/g) ?? []) await link(part)
})

test('the packed package serves a market with its page in an empty folder, and hires there by command and by its typed client', {
  timeout: 120_000,
}, async () => {
  const port = 20_000 + (process.pid % 20_000)
  const url = `http://127.0.0.1:${port}`
  const env = { PORT: String(port), DATA_DIR: join(dir, 'data'), SERVICE_ENDPOINT: url, XDG_CONFIG_HOME: join(dir, 'config') }
  const service = spawn(process.execPath, [program(), 'start'], {
    cwd: dir,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  try {
    const nowhere = await run(['search', 'haiku', '--url', 'http://127.0.0.1:1'], env)
    expect(nowhere.err).toContain('npx market start')
    await until('the service', async () => (await get(url, '/health').catch(() => undefined))?.status === 200)
    const page = await get(url, '/')
    const [script = ''] = /\/assets\/page-\w+\.js/.exec(page.text) ?? []
    expect((await get(url, script)).status).toBe(200)
    expect(await run(['login', '--demo', '--json'], env)).toMatchObject({ code: 0 })
    const provider = cityClock({ platformUrl: url, credential: { privateKey: generatePrivateKey() }, pollPauseMs: 20 })
    closers.push((await provider.start()).stop)
    const hired = await run(['hire', 'What time is it in Tokyo?', '--yes', '--max', '0.10', '--json'], env)
    expect(hired).toMatchObject({ code: 0, object: { state: 'settled', paid: '0.05' } })
    expect(await compileAndRun(typedProgram, [url, await storedToken()])).toEqual({ refused: 422, state: 'settled' })
  } finally {
    for (const close of closers.splice(0)) await close()
    service.kill('SIGTERM')
    await once(service, 'exit')
  }
})

test('the kit of the package has types, and loads no search, graph or chain code', async () => {
  const script = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context) } })
    const { createAgent } = await import('agent-marketplace/kit')
    console.log(JSON.stringify({ kind: typeof createAgent, heavy: loaded.filter(it => /lancedb|langgraph|langchain|anvil|rolldown|modelcontextprotocol/.test(it)) }))`
  await writeFile(join(dir, 'kit.mjs'), script)
  const out = execFileSync(process.execPath, ['kit.mjs'], { cwd: dir, encoding: 'utf8' })
  expect(parseJson(out)).toEqual({ kind: 'function', heavy: [] })
  expect(await readFile(join(dir, 'node_modules/agent-marketplace/dist/src/kit/kit.d.ts'), 'utf8')).toContain('createAgent')
})
