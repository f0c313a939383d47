import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { plain } from '../hire/market.ts'
import { startTestService, type TestService, type User } from '../service.ts'
import { get } from './wire.ts'

// The generators need TypeScript 5 beside the project's own compiler, so they are installed into a folder of their own.
const tools = {
  'openapi-typescript': '7.13.0',
  'openapi-fetch': '0.17.0',
  '@hey-api/openapi-ts': '0.99.0',
  typescript: '5.9.3',
  '@types/node': '24.19.2',
}

const run = promisify(execFile)
let market: TestService
let buyer: User
let dir: string
beforeAll(async () => {
  market = await startTestService()
  buyer = await market.user('buyer')
  const offerings = [plain('0.5', { name: 'Write a haiku', description: 'Writes a haiku about anything.' })]
  await market.agent({ handle: 'poet', offerings, handler: () => 'A frog jumps in' })
  dir = await mkdtemp(join(tmpdir(), 'marketplace-clients-'))
  await write('package.json', JSON.stringify({ private: true, type: 'module', dependencies: tools }))
  await write('openapi.json', (await get(market.url, '/openapi.json')).text)
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline'], { cwd: dir })
}, 180_000)
afterAll(async () => {
  await market?.stop()
  await rm(dir, { recursive: true, force: true })
})

const write = (name: string, text: string) => writeFile(join(dir, name), text)
const tool = (name: string, ...args: string[]) => run(join(dir, 'node_modules/.bin', name), args, { cwd: dir })

/** Compiles a program strictly, then bundles it and runs it as the buyer; returns the object that it prints. */
const compileAndRun = async (program: string) => {
  await write('hire.ts', program)
  const strict = ['--strict', '--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler', '--types', 'node']
  await tool('tsc', ...strict, '--noEmit', 'hire.ts').catch(error => {
    throw new Error(`It does not compile: ${error.stdout}`)
  })
  // The generated files import each other without extensions, which Node does not resolve.
  const bundler = await rolldown({ input: join(dir, 'hire.ts'), platform: 'node', logLevel: 'silent' })
  await bundler.write({ file: join(dir, 'hire.js'), format: 'es' })
  await bundler.close()
  const env = { ...process.env, MARKET: market.url, TOKEN: buyer.token }
  const { stdout } = await run(process.execPath, [join(dir, 'hire.js')], { cwd: dir, env })
  return z.unknown().parse(JSON.parse(stdout))
}

const paid = { state: 'completed', job: { state: 'settled', deliverable: 'A frog jumps in', amount: '0.5' } }

test('a client of openapi-typescript and openapi-fetch compiles strictly and hires', async () => {
  await tool('openapi-typescript', 'openapi.json', '-o', 'schema.d.ts', '--default-non-nullable', 'false')
  const program = `
    import createClient from 'openapi-fetch'
    import type { paths } from './schema'
    const { MARKET = '', TOKEN = '' } = process.env
    const client = createClient<paths>({ baseUrl: MARKET, headers: { authorization: 'Bearer ' + TOKEN } })
    const { data: proposed } = await client.POST('/v1/hires', { body: { task: 'Hire agent poet to write a haiku' } })
    if (!proposed?.proposal) throw new Error('nothing was proposed')
    const path = { run_id: proposed.run_id }
    await client.POST('/v1/hires/{run_id}/confirm', {
      params: { path }, body: { decision: 'yes', digest: proposed.proposal.digest },
    })
    const read = async () => (await client.GET('/runs/{run_id}', { params: { path } })).data
    let run = await read()
    while (run && run.state !== 'completed' && run.state !== 'failed') {
      await new Promise(done => setTimeout(done, 100))
      run = await read()
    }
    console.log(JSON.stringify(run))`
  expect(await compileAndRun(program)).toMatchObject(paid)
})

test('a client of Hey API compiles strictly and hires', async () => {
  await tool('openapi-ts', '-i', 'openapi.json', '-o', 'client', '--no-log-file', '--silent')
  const program = `
    import { client } from './client/client.gen'
    import { confirmHire, getRun, proposeHire } from './client/sdk.gen'
    const { MARKET = '', TOKEN = '' } = process.env
    client.setConfig({ baseUrl: MARKET, auth: TOKEN })
    const { data: proposed } = await proposeHire({ body: { task: 'Hire agent poet to write a haiku' } })
    if (!proposed?.proposal) throw new Error('nothing was proposed')
    const path = { run_id: proposed.run_id }
    await confirmHire({ path, body: { decision: 'yes', digest: proposed.proposal.digest } })
    const read = async () => (await getRun({ path })).data
    let run = await read()
    while (run && run.state !== 'completed' && run.state !== 'failed') {
      await new Promise(done => setTimeout(done, 100))
      run = await read()
    }
    console.log(JSON.stringify(run))`
  expect(await compileAndRun(program)).toMatchObject(paid)
})
