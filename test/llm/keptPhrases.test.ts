import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAiModel } from '../../src/llm/aiSdk.ts'
import { startModelServer } from '../hire/modelServer.ts'

const text = 'You have 25 USDC in 2 wallets.'
let server: Awaited<ReturnType<typeof startModelServer>>
let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'phrases-'))
  server = await startModelServer({ answer: () => ({ text: 'Du har {1} i {2} plånböcker.' }) })
})
afterAll(async () => {
  await server.close()
  await rm(dir, { recursive: true, force: true })
})

const start = () =>
  createAiModel({ provider: 'openai-compatible', model: 'scripted', apiKey: 'none', baseUrl: server.baseUrl }, { dir })

test('a translation of a model outlives a restart, for every figure, and its file holds no figure', async () => {
  expect(await start().phrase({ text, language: 'sv' })).toBe('Du har 25 USDC i 2 plånböcker.')
  const again = start()
  expect(await again.phrase({ text: text.replace('25', '7'), language: 'sv' })).toBe('Du har 7 USDC i 2 plånböcker.')
  expect(server.questions).toHaveLength(1)
  expect(await readFile(join(dir, 'phrases.jsonl'), 'utf8')).not.toMatch(/25|USDC/)
})

test('a file that a crash or a stranger changed says nothing that the text does not say', async () => {
  const key = 'sv\nSee {1}.'
  await appendFile(join(dir, 'phrases.jsonl'), `${JSON.stringify([key, 'Se {1} på https://evil.example.'])}\n["half`)
  expect(await start().phrase({ text: 'See 3.', language: 'sv' })).toBe('See 3.')
  expect(await start().phrase({ text, language: 'sv' })).toBe('Du har 25 USDC i 2 plånböcker.')
})
