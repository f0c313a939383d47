import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { z } from 'zod'
import { walletRecord } from '../../records/withdrawal.ts'
import { createClient } from '../client.ts'
import { toBalanceLines } from './balanceLines.ts'
import { type Context, type Host, runs } from './command.ts'
import { changeStored } from './settings.ts'

const begun = z.object({ code: z.string(), authUrl: z.string() })
const status = z.object({ status: z.string(), token: z.string().optional() })
const claims = z.object({ sub: z.string() })

const askEveryMs = 1_000
const waitMs = 10 * 60 * 1_000

export const addAccountCommands = (program: Command, host: Host): void => {
  const loginCommand = program
    .command('login')
    .description('sign in and store the token')
    .option('--demo', 'sign in with a demo wallet of the local world', false)
    .option('--no-open', 'do not open a browser')
  runs(loginCommand, host, {
    example: 'market login --demo',
    run: async (context, { demo, open }) => {
      const token = demo === true ? await demoToken(context) : await approvedToken(context, open !== false)
      await changeStored(context.settings.file, { SERVICE_PROXY_AUTH: token })
      const owner = ownerOf(token)
      context.say(`Signed in as ${owner}. The token is in ${context.settings.file}.`)
      return { result: { signed_in: true, wallet: owner, file: context.settings.file } }
    },
  })
  runs(program.command('logout').description('end the token and remove it from this machine'), host, {
    example: 'market logout',
    run: async ({ settings, client, say }) => {
      if (settings.token) await client.post('/v1/revoke', {}).catch(() => undefined)
      await changeStored(settings.file, { SERVICE_PROXY_AUTH: undefined })
      say('Signed out.')
      return { result: { signed_in: false } }
    },
  })
  runs(program.command('whoami').description('show your wallet and what it holds'), host, {
    example: 'market whoami --json',
    run: async ({ settings, client, say }) => {
      const mine = walletRecord.parse(await client.get('/v1/wallets/me'))
      const owner = settings.token ? ownerOf(settings.token) : ''
      say(`${owner} pays from ${mine.ethereum}`)
      for (const it of toBalanceLines(mine)) say(it)
      return { result: { wallet: owner, custodial_wallet: mine.ethereum, balances: mine.balances, url: settings.url } }
    },
  })
}

/** Returns the wallet in a token, in hex; empty when it is not a token of this market. */
export const ownerOf = (token: string): string => {
  try {
    const { sub } = claims.parse(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()))
    return sub.replace(/^user:/, '')
  } catch {
    return ''
  }
}

const demoToken = async ({ settings }: Context): Promise<string> => {
  const file = join(dirname(settings.file), 'demo-user.json')
  const { openSession } = await import('../session.ts')
  return (await openSession({ url: settings.authUrl, file })).token
}

/** Prints the URL of the approval page and waits for the token. */
const approvedToken = async ({ settings, say }: Context, opens: boolean): Promise<string> => {
  const client = createClient({ url: settings.authUrl })
  const { code, authUrl } = begun.parse(await client.post('/v1/init', true))
  say(`Open ${authUrl}`)
  say('Approve there that the waiting program gets a token. This command waits for ten minutes.')
  if (opens && process.stdout.isTTY) openBrowser(authUrl)
  for (let waited = 0; waited < waitMs; waited += askEveryMs) {
    const { token } = status.parse(await client.get(`/v1/status?code=${encodeURIComponent(code)}`))
    if (token) return token
    await new Promise(resolve => setTimeout(resolve, askEveryMs))
  }
  throw new Error('Nobody approved within ten minutes.')
}

const openers: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', linux: 'xdg-open', win32: 'explorer' }

const openBrowser = (url: string) => {
  const opener = openers[process.platform]
  if (opener)
    spawn(opener, [url], { stdio: 'ignore', detached: true })
      .once('error', () => undefined)
      .unref()
}
