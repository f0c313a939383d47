import { expect, test } from 'vitest'
import { readConfig } from '../src/config.ts'
import { demoHandles } from '../src/domain/agents/localAgents.ts'

test('a custom model server without a model name is refused with an explanation', () => {
  expect(() => readConfig({ MODEL_BASE_URL: 'http://127.0.0.1:11434/v1' })).toThrow('MODEL must name')
  expect(() => readConfig({ MODEL_BASE_URL: 'http://127.0.0.1:11434/v1', MODEL: '' })).toThrow('MODEL must name')
})

const baseUrl = 'http://127.0.0.1:11434/v1'
const own = { provider: 'openai-compatible', baseUrl }
test.each([
  ['nothing', {}, undefined],
  ['a key', { OPENAI_API_KEY: 'k' }, { provider: 'openai', apiKey: 'k' }],
  ['an own server', { MODEL_BASE_URL: baseUrl, MODEL: 'llama3' }, { ...own, apiKey: 'none' }],
  ['an own server and its key', { MODEL_BASE_URL: baseUrl, MODEL: 'llama3', MODEL_API_KEY: 'k' }, { ...own, apiKey: 'k' }],
])('%s selects the provider of both the model and the embeddings', (_name, env, from) => {
  expect(readConfig(env).model).toEqual(from && { ...from, model: 'MODEL' in env ? 'llama3' : 'gpt-4.1-mini' })
  const asked = () => readConfig({ ...env, EMBEDDING_MODEL: 'words' }).embeddings
  if (from) expect(asked()).toEqual({ ...from, model: 'words' })
  else expect(asked).toThrow('EMBEDDING_MODEL needs')
})

test('an invalid value is refused by the name of its setting, and the value is never repeated', () => {
  expect(() => readConfig({ MASTER_KEY: 'hunter2' })).toThrow(/MASTER_KEY(?!.*hunter2)/)
})

test.each(['lots', '1,5', '-1', '0.0000001'])(
  'a faucet amount of %s USDC is refused at startup by the name of its setting',
  amount => {
    expect(() => readConfig({ FAUCET_USDC: amount })).toThrow('FAUCET_USDC')
  },
)

test.each([
  ['RATE_LIMT', 'RATE_LIMIT'],
  ['RPC_ULR_97', 'RPC_URL_97'],
  ['DATABSE_URL', 'DATABASE_URL'],
])('the misspelt setting %s is refused with the name %s as a suggestion', (name, meant) => {
  expect(() => readConfig({ [name]: '1' })).toThrow(`Did you mean ${meant}?`)
})

test('variables of other programs are left alone', () => {
  const others = { PATH: '/bin', HOSTNAME: 'a', MODE: 'b', AWS_REGION: 'c', npm_config_host: 'd', MODELS: 'e', ESCROW: 'f' }
  expect(readConfig(others)).toEqual(readConfig({}))
})

test('a node of an unsupported chain is refused with a list of the supported chains', () => {
  expect(() => readConfig({ RPC_URL_1: 'http://127.0.0.1:1' })).toThrow('97, 84532, 1952, 56, 8453')
})

test('LOCAL_AGENTS names the demo agents: all without it, none when it is empty; other empty settings count as absent', () => {
  expect(readConfig({}).localAgents).toEqual(demoHandles)
  expect([readConfig({ LOCAL_AGENTS: '' }).localAgents, readConfig({ LOCAL_AGENTS: ' ' }).localAgents]).toEqual([[], []])
  expect(readConfig({ LOCAL_AGENTS: 'demo-qr, city-clock' }).localAgents).toEqual(['demo-qr', 'city-clock'])
  expect(readConfig({ PORT: '', FAUCET_USDC: '', MASTER_KEY: '' })).toEqual(readConfig({}))
})

test('only the own chain has a local world by itself; a public test chain needs the setting, and real money refuses it', () => {
  const RPC_URL_8453 = 'http://127.0.0.1:1'
  expect(readConfig({}).local).toBe(true)
  for (const name of ['RPC_URL_97', 'RPC_URL_84532', 'RPC_URL_1952', 'RPC_URL_56', 'RPC_URL_8453'])
    expect(readConfig({ [name]: RPC_URL_8453 }).local).toBe(false)
  expect(readConfig({ RPC_URL_97: RPC_URL_8453, LOCAL_WORLD: 'true' }).local).toBe(true)
  expect(() => readConfig({ RPC_URL_8453, LOCAL_WORLD: 'true' })).toThrow('test money only')
})

test('a process of a database file does everything; those of a server may share the work', () => {
  expect(() => readConfig({ ROLE: 'web' })).toThrow('ROLE=web needs DATABASE_URL')
  expect(readConfig({ ROLE: 'web', DATABASE_URL: 'postgres://localhost/market' }).role).toBe('web')
  expect(readConfig({}).role).toBe('all')
})
