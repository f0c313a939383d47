import { randomUUID } from 'node:crypto'
import type { Command } from 'commander'
import { z } from 'zod'
import { jsonObject } from '../../domain/json.ts'
import { toCsv } from '../../domain/text/csv.ts'
import { mandateRecord } from '../../records/mandate.ts'
import { type ActivityRecord, activityPage, activityRecord } from '../../records/market/activity.ts'
import { walletRecord, withdrawalAddressRecord } from '../../records/withdrawal.ts'
import { toBalanceLines } from './balanceLines.ts'
import { ends, type Host, onChain, runs, toQuery, withChain } from './command.ts'

const mandate = mandateRecord.catchall(z.json())

export const addMoneyCommands = (program: Command, host: Host): void => {
  const wallet = program.command('wallet').description('your custodial wallet')
  runs(wallet.command('show').description('show what it holds'), host, {
    example: 'market wallet show',
    run: async ({ client, say }) => {
      const mine = walletRecord.parse(await client.get('/v1/wallets/me'))
      say(mine.ethereum)
      for (const it of toBalanceLines(mine)) say(it)
      return { result: { custodial_wallet: mine.ethereum, balances: mine.balances } }
    },
  })
  const withdrawCommand = wallet
    .command('withdraw')
    .argument('[amount]', 'amount; all that is free by default')
    .option('--agent <agent>', 'withdraw the earnings of this agent instead')
    .option('--asset <asset>', 'USDC, BNB, WBNB, or a token: its address or its agent', 'USDC')
    .option('--to <address>', 'one of your withdrawal addresses; your own wallet by default')
    .description('send USDC, coin or tokens to your own wallet')
  runs(withChain(withdrawCommand), host, {
    example: 'market wallet withdraw 1.50',
    run: async ({ client, say }, { agent, asset, to, ...options }, amount?: string) => {
      const from = typeof agent === 'string' && { agent_id: agent }
      const body = {
        asset,
        ...(amount !== undefined && { amount }),
        ...(to !== undefined && { to }),
        ...from,
        ...onChain(options),
      }
      const sent = await client.post('/v1/withdrawals', body, { 'idempotency-key': randomUUID() })
      say('The withdrawal is on its way.')
      return { result: jsonObject.parse(sent) }
    },
  })
  addAddressCommands(wallet, host)
  addActivityCommand(wallet, host)
  addMandateCommands(program, host)
}

/** A passkey adds an address, so that is done on the page. */
const addAddressCommands = (wallet: Command, host: Host): void => {
  const group = wallet.command('address').description('outside addresses to which an account with a passkey withdraws')
  runs(group.command('list').description('list them; the page adds one, with your passkey'), host, {
    example: 'market wallet address list',
    run: async ({ client, say }) => {
      const found = z.object({ addresses: z.array(withdrawalAddressRecord) }).parse(await client.get('/v1/withdrawal-addresses'))
      for (const it of found.addresses)
        say(`${it.address_id}  ${it.address} on chain ${it.chain_id}, ${it.name}, from ${it.usable_at}`)
      return { result: found }
    },
  })
  ends(group.command('remove').argument('<id>').description('remove one: nothing more is sent there'), host, {
    example: 'market wallet address remove address_1a2b',
    path: '/v1/withdrawal-addresses',
    said: 'The address was removed.',
  })
}

const columns = Object.keys(activityRecord.shape)

const addActivityCommand = (wallet: Command, host: Host): void => {
  const activityCommand = wallet
    .command('activity')
    .option('--agent <agent>', 'the wallet of one of your agents instead')
    .option('--before <position>', 'older ones: `next` of the page before')
    .option('--csv', 'print all of it as comma-separated values', false)
    .description('show where its USDC came from and went')
  runs(activityCommand, host, {
    example: 'market wallet activity --csv > money.csv',
    run: async ({ client, say }, { agent, before, csv }) => {
      const read = async (from: unknown, limit: number) => {
        const of = { ...(typeof agent === 'string' && { agent }), ...(typeof from === 'string' && { before: from }) }
        return activityPage.parse(await client.get(`/v1/activity?${toQuery({ ...of, limit })}`))
      }
      if (csv !== true) {
        const page = await read(before, 20)
        for (const it of page.activity) say(toLine(it))
        if (page.next) say(`Older ones: market wallet activity --before ${page.next}`)
        return { result: page }
      }
      const rows: ActivityRecord[] = []
      for (let next: unknown = before; next !== null; ) {
        const page = await read(next, 100)
        rows.push(...page.activity)
        next = page.next
      }
      say(toCsv({ columns, rows }).trimEnd())
      return { result: { rows: rows.length } }
    },
  })
}

const toLine = ({ at, kind, amount, agent_handle, offering_name, subject, counterparty }: ActivityRecord): string => {
  const of = offering_name === null ? (subject ?? counterparty) : `${offering_name} by ${agent_handle}: ${subject}`
  return `${at.slice(0, 16).replace('T', ' ')}  ${kind.padEnd(10)} ${amount.padStart(12)} USDC  ${of}`
}

const addMandateCommands = (program: Command, host: Host): void => {
  const group = program.command('mandate').description('hires without asking, within limits')
  const setCommand = group
    .command('set')
    .requiredOption('--per-job <usdc>', 'the most USDC for one job')
    .requiredOption('--per-period <usdc>', 'the most USDC in the period')
    .option('--period <period>', 'day, week or month', 'day')
    .option('--expires <date>', 'last day of the mandate; in 90 days by default')
    .description('let the butler hire within these limits')
  runs(withChain(setCommand), host, {
    example: 'market mandate set --per-job 0.10 --per-period 1 --period day',
    run: async ({ client, say }, { perJob, perPeriod, period, expires, ...options }) => {
      const body = {
        max_per_job: perJob,
        max_per_period: perPeriod,
        period,
        ...(expires !== undefined && { expires_at: expires }),
        ...onChain(options),
      }
      const made = mandate.parse(await client.post('/v1/mandates', body, { 'idempotency-key': randomUUID() }))
      say(`${made.mandate_id}: up to ${made.max_per_job} USDC a job and ${made.max_per_period} a ${made.period}.`)
      return { result: made }
    },
  })
  runs(group.command('list').description('list your mandates'), host, {
    example: 'market mandate list',
    run: async ({ client, say }) => {
      const { mandates } = z.object({ mandates: z.array(mandate) }).parse(await client.get('/v1/mandates'))
      for (const it of mandates) say(`${it.mandate_id}  ${it.left} of ${it.max_per_period} USDC a ${it.period} are left`)
      return { result: { mandates } }
    },
  })
  ends(group.command('revoke').argument('<mandate>').description('end a mandate'), host, {
    example: 'market mandate revoke mandate_1a2b',
    path: '/v1/mandates',
    said: 'The mandate has ended.',
  })
}
