import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { talk } from '../hire/market.ts'
import { startTestService, type TestService } from '../service.ts'

/** For each example: the message of a user to its agent, and a pattern for its deliverable. */
const examples: Record<string, { say: string; delivers: RegExp }> = {
  'wordCount.ts': { say: 'Hire agent word-count with the text: one two three four', delivers: /\b4 words/ },
}
const folder = new URL('../../docs/examples/', import.meta.url)

let market: TestService
beforeAll(async () => {
  market = await startTestService()
})
afterAll(() => market?.stop())

/** Starts an example as its own process; resolves once it prints that it waits for jobs. */
const start = async (file: string) => {
  const child = spawn(process.execPath, [new URL(file, folder).pathname], {
    env: { ...process.env, SERVICE_ENDPOINT: market.url },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface(child.stdout)) if (line.includes('Waiting for jobs')) return child
  throw new Error(`${file} ended before it waited for jobs.`)
}

test('every example of the documentation is run by this test', () => {
  expect(Object.keys(examples)).toEqual(readdirSync(folder).filter(it => it.endsWith('.ts')))
})

test.each(Object.entries(examples))('the agent of %s is hired, delivers and is paid', async (file, { say, delivers }) => {
  const child = await start(file)
  try {
    const chat = talk(await market.user('reader'))
    expect(await chat.say(say)).toMatchObject({ data: { state: 'awaiting-confirmation' } })
    const { data: run, content } = await chat.say('yes', 20_000)
    expect(run.job?.state).toBe('settled')
    expect(content).toMatch(delivers)
  } finally {
    const ended = once(child, 'exit')
    child.kill('SIGINT')
    await ended
  }
})
