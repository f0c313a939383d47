import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { openMarket } from './market.ts'

const browserPath = ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find(it => existsSync(it))
const leftOut = browserPath ? '' : ' (left out: there is no Firefox on this machine)'

const reply = z.object({
  id: z.number().optional(),
  type: z.string(),
  result: z.unknown().optional(),
  message: z.string().optional(),
})

/** Starts Firefox and returns a function that sends it one command of WebDriver BiDi, which playwright speaks to it in part only. */
const openFirefox = async (path: string) => {
  const home = await mkdtemp(join(tmpdir(), 'marketplace-firefox-'))
  const args = ['--headless', '--remote-debugging-port=0', '--profile', home, '--no-remote']
  const program = spawn(path, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, HOME: home } })
  onTestFinished(async () => {
    const ended = once(program, 'exit')
    program.kill('SIGKILL')
    await ended
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
  })
  let address: string | undefined
  for await (const line of createInterface(program.stderr)) {
    address = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1]
    if (address) break
  }
  const socket = new WebSocket(`${address}/session`)
  await once(socket, 'open')
  let sent = 0
  return (method: string, params: object): Promise<unknown> => {
    const id = ++sent
    socket.send(JSON.stringify({ id, method, params }))
    return new Promise((resolve, reject) => {
      const hear = ({ data }: MessageEvent) => {
        const said = reply.parse(JSON.parse(String(data)))
        if (said.id !== id) return
        socket.removeEventListener('message', hear)
        if (said.type === 'success') resolve(said.result)
        else reject(new Error(`${method}: ${said.message}`))
      }
      socket.addEventListener('message', hear)
    })
  }
}

describe.runIf(browserPath)(`in Firefox${leftOut}`, () => {
  test('a new visitor signs in, asks by keyboard, approves and reads the result, and every view fits 360 px', async () => {
    const market = await openMarket()
    onTestFinished(() => market.stop())
    const send = await openFirefox(browserPath ?? '')
    await send('session.new', { capabilities: {} })
    const { context } = z.object({ context: z.string() }).parse(await send('browsingContext.create', { type: 'tab' }))
    const evaluate = async (expression: string) => {
      const of = { expression, target: { context }, awaitPromise: true }
      return z.object({ result: z.object({ value: z.unknown() }) }).parse(await send('script.evaluate', of)).result.value
    }
    const seen = (expression: string) => expect.poll(() => evaluate(expression).catch(String), { timeout: 30_000 }).toBe(true)
    const hasText = (text: string) => seen(`document.body.innerText.includes(${JSON.stringify(text)})`)
    const press = async (name: string) => {
      const found = `[...document.querySelectorAll('button:enabled')].find(it => it.textContent.includes('${name}'))`
      await seen(`Boolean(${found})`)
      await evaluate(`${found}.click()`)
    }
    const go = (path: string) => send('browsingContext.navigate', { context, url: market.url + path, wait: 'complete' })
    await go('/')
    await press('demo wallet')
    await hasText('What do you need done?')
    await seen(`(document.querySelector('textarea')?.focus(), document.activeElement?.tagName === 'TEXTAREA')`)
    const keys = [...'What time is it in Tokyo?', '\uE007'].flatMap(value => ['keyDown', 'keyUp'].map(type => ({ type, value })))
    await send('input.performActions', { context, actions: [{ type: 'key', id: 'keyboard', actions: keys }] })
    await press('Approve')
    await hasText('Asia/Tokyo')
    await send('browsingContext.setViewport', { context, viewport: { width: 360, height: 740 } })
    for (const [path, words] of [
      ['/', 'What do you need done?'],
      ['/app/market', 'Local time in a city'],
      ['/app/rankings', 'City Clock'],
      ['/app/me', 'Spending limits'],
      ['/app/me/agents', 'Offer an agent'],
    ] as const) {
      await go(path)
      await hasText(words)
      expect(await evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    }
  })
})
