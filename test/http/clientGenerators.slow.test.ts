import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Generators, generateTypes, installGenerators } from '../../src/package/generators.ts'
import { plain } from '../hire/market.ts'
import { startTestService, type TestService } from '../service.ts'

const run = promisify(execFile)
const typescript = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc')
const compiler = {
  compilerOptions: {
    ...{
      strict: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      target: 'es2024',
      lib: ['es2024', 'dom', 'dom.iterable'],
    },
    ...{ module: 'nodenext', types: [], outDir: 'out', rootDir: '.' },
  },
  include: ['*.ts', 'hey'],
}

/** Buys a haiku with one generated client: message, proposal, yes, result. Prints what it got. */
const programs = {
  'openapi-fetch': `
    import createClient from 'openapi-fetch'
    import type { paths } from './schema.js'
    declare const process: { argv: string[] }
    const [, , baseUrl = '', token = ''] = process.argv
    const client = createClient<paths, \`application/\${string}\`>({ baseUrl, headers: { authorization: \`Bearer \${token}\` } })
    const refused = (it: { detail: string }): never => { throw new Error(it.detail) }

    const asked = await client.POST('/invoke', { body: { message: 'Hire agent generated with the text: an old pond' } })
    const { run_id, data } = asked.data ?? refused(asked.error)
    const digest = data?.proposal?.digest ?? ''
    const agreed = await client.POST('/v1/hires/{run_id}/confirm', { params: { path: { run_id } }, body: { digest, decision: 'yes' } })
    const { job } = agreed.data ?? refused(agreed.error)
    const read = await client.GET('/runs/{run_id}', { params: { path: { run_id } } })
    const { state, content } = read.data ?? refused(read.error)
    const { error } = await client.GET('/runs/{run_id}', { params: { path: { run_id: 'none' } } })
    console.log(JSON.stringify({ state, job: job?.state, content, code: error?.code }))
  `,
  'hey-api': `
    import { client } from './hey/client.gen.js'
    import { confirmHire, getRun, invoke } from './hey/index.js'
    declare const process: { argv: string[] }
    const [, , baseUrl = '', auth = ''] = process.argv
    client.setConfig({ baseUrl, auth })

    const asked = await invoke({ body: { message: 'Hire agent generated with the text: an old pond' }, throwOnError: true })
    const { run_id, data } = asked.data
    const digest = data?.proposal?.digest ?? ''
    const agreed = await confirmHire({ path: { run_id }, body: { digest, decision: 'yes' }, throwOnError: true })
    const { data: read } = await getRun({ path: { run_id }, throwOnError: true })
    const { error } = await getRun({ path: { run_id: 'none' } })
    console.log(JSON.stringify({ state: read.state, job: agreed.data.job?.state, content: read.content, code: error?.code }))
  `,
}

let market: TestService
let generators: Generators
let token: string
beforeAll(async () => {
  market = await startTestService()
  generators = await installGenerators()
  await market.agent({ handle: 'generated', offerings: [plain('0.5')], handler: ({ text }) => `About ${text}` })
  token = (await market.user('reader')).token
  const { dir } = generators
  // Hey API reads here whether imports need extensions.
  await writeFile(join(dir, 'tsconfig.json'), JSON.stringify(compiler))
  const document = `${market.url}/openapi.json`
  await generateTypes(generators, document, 'schema.d.ts')
  await generators.run('@hey-api/openapi-ts/bin/run.js', '--input', document, '--output', 'hey', '--silent', '--no-log-file')
  for (const [name, program] of Object.entries(programs)) await writeFile(join(dir, `${name}.ts`), program)
  const compiled = await run(process.execPath, [typescript, '-p', dir]).catch((failed: { stdout: string }) => failed)
  expect(compiled.stdout).toBe('')
})
afterAll(async () => {
  await market?.stop()
  await generators?.remove()
})

test.each(Object.keys(programs))(
  'a client generated for %s from the served document compiles in strict mode, and hires',
  async name => {
    const { stdout } = await run(process.execPath, [join(generators.dir, `out/${name}.js`), market.url, token])
    expect(JSON.parse(stdout)).toEqual({
      state: 'completed',
      job: 'settled',
      content: expect.stringContaining('About an old pond'),
      code: 'run-not-found',
    })
  },
)
