import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createSealer, readMasterKey } from '../../src/chain/signing/secrets.ts'
import { createWallets } from '../../src/chain/signing/wallets.ts'
import { parseJson } from '../../src/domain/json.ts'
import { examine } from '../../src/operator/doctor/doctor.ts'
import { systemClock } from '../../src/process/system.ts'
import { openStore } from '../../src/store/store.ts'
import { type External, startExternal } from '../chain/external.ts'
import { start } from '../cli/program.ts'
import { copySchema } from '../store/template.ts'

let node: External
let home: string
let chain: Record<string, string>
let treasury: string
const folder = (name: string) => join(home, name)

/** Makes a data folder with a database, sealed wallets and their key, as the first start does. */
const found = async (name: string) => {
  const dir = folder(name)
  await mkdir(dir, { recursive: true })
  await copySchema(join(dir, 'market.db'))
  const store = await openStore({ file: join(dir, 'market.db'), clock: systemClock })
  const sealer = createSealer(await readMasterKey({ file: join(dir, 'master.key') }))
  const wallets = createWallets({ store, sealer })
  const address = await wallets.ensure('treasury', '')
  await wallets.ensure('evaluator', '')
  return { dir, address, store }
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'doctor-test-'))
  node = await startExternal()
  const usdc = await node.deployUsdc(18)
  const { address, store, dir } = await found('whole')
  treasury = address
  await store.close()
  const escrow = await node.deployEscrow(usdc, { treasury: address, feeBps: 100 })
  const registry = await node.deployRegistry(address)
  const contracts = { USDC_97: usdc, ESCROW_97: escrow, REGISTRY_97: registry }
  chain = { DATA_DIR: dir, RPC_URL_97: node.url, ...contracts, PUBLIC_URL: 'https://market.example', LOCAL_WORLD: 'false' }
  const key = { PORT: '0', OPERATOR_TOKEN: 'an operator of this market', TRUSTED_PROXY: 'X-Forwarded-For 127.0.0.1' }
  Object.assign(chain, key)
  for (const wallet of [address, ...(await addressesOf('evaluator'))])
    await node.client.setBalance({ address: wallet, value: 10n ** 18n })
}, 120_000)
afterAll(async () => {
  await node?.stop()
  await rm(home, { recursive: true, force: true })
})

const addressesOf = async (role: 'evaluator') => {
  const store = await openStore({ file: join(folder('whole'), 'market.db'), clock: systemClock })
  const wallet = await store.wallet(role, '')
  await store.close()
  return wallet ? [wallet.address] : []
}

const wrongOf = async (env: Record<string, string | undefined>) => {
  const findings = (await examine(env)).filter(it => it.level === 'wrong')
  // Every failing line says what to do next.
  for (const it of findings) expect(it.remedy).toMatch(/\w+.*\.$/)
  return findings.map(it => `${it.check}: ${it.words}`).join('\n')
}

test('a service on a public chain with everything in place has nothing wrong', async () => {
  expect(await wrongOf(chain)).toBe('')
  const words = (await examine(chain)).map(it => it.words).join('\n')
  for (const said of ['18 decimals', `treasury ${treasury} has 1 coins`, 'It opens the keys', 'MiB are free', 'schema version'])
    expect(words).toContain(said)
})

test('a public address that is a number has a warning, because passkeys need a name', async () => {
  const env = { ...chain, PUBLIC_URL: 'https://203.0.113.5' }
  expect(await wrongOf(env)).toBe('')
  const findings = (await examine(env)).filter(it => it.check === 'public address')
  expect(findings).toMatchObject([{ level: 'warning', words: expect.stringContaining('passkey') }])
})

test('requests without a chain have a warning only where real money alone is served', async () => {
  const served = async (id: number) =>
    (await examine({ ...chain, ...unset, RPC_URL_97: undefined, [`RPC_URL_${id}`]: nowhere })).filter(
      it => it.check === 'default chain',
    )
  expect(await served(84532)).toEqual([])
  expect(await served(8453)).toMatchObject([{ level: 'warning', words: expect.stringContaining('refused without chain_id') }])
})

test('the embedded chain in an empty folder has nothing wrong', async () => {
  expect(await wrongOf({ DATA_DIR: folder('new'), PORT: '0' })).toBe('')
})

const chainless = `0x${'1'.repeat(40)}`
const unset = { USDC_97: undefined, ESCROW_97: undefined, REGISTRY_97: undefined }

const nowhere = 'http://127.0.0.1:2'
const model = { MODEL: 'small', MODEL_API_KEY: 'k' }
const kms = { KMS_REGION: 'eu-1', AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 's', KMS_KEY_TREASURY: 'a-key' }
const peers: Server[] = []
afterAll(() => {
  for (const it of peers) it.close()
})
/** A server that answers everything alike. */
const peer = async (status: number, body: unknown = {}) => {
  const server = createServer((_request, response) => response.writeHead(status).end(JSON.stringify(body)))
  peers.push(server)
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  return `http://127.0.0.1:${z.object({ port: z.number() }).parse(server.address()).port}`
}

type Setup = () => Promise<Record<string, string | undefined>>
const over = (env: Record<string, string | undefined>): Setup => {
  return async () => ({ ...chain, ...env })
}

test.each<[what: string, setup: Setup, said: string]>([
  ['a misspelt setting', over({ RATE_LIMT: '5' }), 'configuration: There is no setting RATE_LIMT. Did you mean RATE_LIMIT?'],
  ['a value that does not fit', over({ PORT: 'eight' }), 'configuration: The environment variable PORT does not fit'],
  ['a chain that is not supported', over({ RPC_URL_1: 'http://127.0.0.1:1' }), 'RPC_URL_1 names a chain that is not supported'],
  ['contracts of a chain without its node', over({ ESCROW_8453: chainless }), 'ESCROW_8453 has no effect'],
  ['a local world on real money', over({ RPC_URL_56: 'http://127.0.0.1:1', LOCAL_WORLD: 'true' }), 'LOCAL_WORLD'],
  ['a role without a server', over({ ROLE: 'web' }), 'ROLE=web needs DATABASE_URL'],
  ['no public address', over({ PUBLIC_URL: undefined }), 'public address: PUBLIC_URL is not set'],
  ['a public address without encryption', over({ PUBLIC_URL: 'http://market.example' }), 'without encryption; passkeys'],
  ['a trusted internet', over({ TRUSTED_PROXY: 'X-Forwarded-For 0.0.0.0/0' }), 'proxy: TRUSTED_PROXY trusts 0.0.0.0/0'],
  ['a file in place of the data folder', async () => ({ ...chain, DATA_DIR: await aFile() }), 'is not a folder'],
  ['a damaged database', async () => ({ ...chain, DATA_DIR: await damaged() }), 'database: The database cannot be read'],
  ['a server that does not answer', over({ DATABASE_URL: 'postgres://127.0.0.1:1/m' }), 'database: The database cannot be read'],
  ['a database of a newer release', async () => ({ ...chain, DATA_DIR: await newer() }), 'schema version 9999; this release'],
  ['another master key', over({ MASTER_KEY: 'ab'.repeat(32) }), 'master key: The keys are sealed with master key'],
  ['a lost master key', async () => ({ ...chain, DATA_DIR: await keyless() }), 'and the database has sealed keys'],
  ['a master key for everybody', async () => ({ ...chain, DATA_DIR: await open() }), 'Other accounts of this machine may read'],
  [
    'a node that does not answer',
    over({ RPC_URL_97: 'http://127.0.0.1:1' }),
    'chain 97: The node behind RPC_URL_97 does not answer',
  ],
  ['a node of another chain', over({ RPC_URL_97: undefined, RPC_URL_84532: 'node' }), 'serves chain 97, not chain 84532'],
  ['an escrow that is not there', over({ ESCROW_97: `0x${'9'.repeat(40)}` }), 'chain 97: There is no contract at 0x9999'],
  ['an escrow of another service', async () => ({ ...chain, DATA_DIR: await stranger() }), 'not to the treasury of this service'],
  ['an empty treasury', async () => ({ ...chain, DATA_DIR: await stranger() }), 'It cannot fill the other wallets'],
  ['a port that another program has', async () => ({ ...chain, PORT: await taken() }), 'port: Another program has'],
  ['an address of another machine', over({ HOST: '192.0.2.1', PORT: '8931' }), 'port: 192.0.2.1 is no address of this machine'],
  ['the same with any free port', over({ HOST: '192.0.2.1', PORT: '0' }), 'port: 192.0.2.1 is no address of this machine'],
  [
    'texts that are removed at once',
    over({ RETENTION_DAYS: '0' }),
    'configuration: RETENTION_DAYS=0 is for market operator prune',
  ],
  [
    'a model that does not answer',
    over({ ...model, MODEL_BASE_URL: nowhere }),
    'model: Its server does not answer: ECONNREFUSED',
  ],
  [
    'a key that the model refuses',
    async () => ({ ...chain, ...model, MODEL_BASE_URL: await peer(401) }),
    'model: Its server refuses',
  ],
  ['a collector that does not answer', over({ OTEL_EXPORTER_OTLP_ENDPOINT: nowhere }), 'collector: It does not answer'],
  [
    'a collector that refuses traces',
    async () => ({ ...chain, OTEL_EXPORTER_OTLP_ENDPOINT: await peer(403) }),
    'collector: It answers with 403',
  ],
  ['a webhook that does not answer', over({ ALERT_WEBHOOK: nowhere }), 'alerts: The webhook does not answer'],
  ['a mail server that does not answer', over({ SMTP_URL: 'smtp://127.0.0.1:2', SMTP_FROM: 'a@b.example' }), 'mail: Nobody can'],
  [
    'a key that the key service has not',
    async () => ({ ...chain, ...kms, KMS_ENDPOINT: await peer(400) }),
    'KMS_KEY_TREASURY cannot',
  ],
  [
    'a key service that does not answer',
    over({ ...kms, KMS_ENDPOINT: nowhere }),
    'KMS_KEY_TREASURY cannot be read: ECONNREFUSED',
  ],
  ['no chain program', over({ RPC_URL_97: undefined, ...unset, ANVIL: '/none/anvil' }), 'embedded chain: Foundry'],
])('%s is named with its cause and the next step', async (_what, setup, said) => {
  const env = await setup()
  if (env.RPC_URL_84532) Object.assign(env, { RPC_URL_84532: node.url, ...unset })
  expect(await wrongOf(env)).toContain(said)
})

test('a model, a collector, a webhook and a key service that answer have nothing wrong', async () => {
  const url = await peer(200, { data: [{ id: 'small' }] })
  const env = { ...chain, ...model, MODEL_BASE_URL: url, OTEL_EXPORTER_OTLP_ENDPOINT: url, ALERT_WEBHOOK: url }
  const findings = await examine(env)
  expect(findings.filter(it => it.level === 'wrong')).toEqual([])
  expect(findings).toContainEqual(expect.objectContaining({ check: 'model', words: 'Its server has small.' }))
  const renamed = await examine({ ...env, MODEL: 'large' })
  expect(renamed).toContainEqual(expect.objectContaining({ level: 'warning', words: 'Its server does not list large.' }))
})

const aFile = async () => {
  await writeFile(folder('file'), '')
  return folder('file')
}
const damaged = async () => {
  await mkdir(folder('damaged'))
  await writeFile(join(folder('damaged'), 'market.db'), 'this is not a database '.repeat(100))
  return folder('damaged')
}
const newer = async () => {
  const { dir, store } = await found('newer')
  await store.db.tx(sql => sql(`insert into schema_migration (version, checksum, at) values (9999, '', 0)`))
  await store.close()
  return dir
}
const keyless = async () => {
  const { dir, store } = await found('keyless')
  await store.close()
  await rm(join(dir, 'master.key'))
  return dir
}
const open = async () => {
  const { dir, store } = await found('open')
  await store.close()
  await chmod(join(dir, 'master.key'), 0o644)
  return dir
}
const stranger = async () => {
  const { dir, store } = await found(`stranger-${Math.random()}`)
  await store.close()
  return dir
}
let other: Server | undefined
afterAll(() => void other?.close())
const taken = async () => {
  const server = createServer((_request, response) => response.end('hello'))
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  other = server
  return String(z.object({ port: z.number() }).parse(server.address()).port)
}

test('the command says what is wrong and exits with 1', async () => {
  const { code, out } = await start(['operator', 'doctor', '--json'], { env: { RATE_LIMT: '5', DATA_DIR: folder('new') } }).ended
  expect([code, parseJson(out)]).toMatchObject([1, { healthy: false, findings: [{ check: 'configuration', level: 'wrong' }] }])
})
