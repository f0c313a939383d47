import type { Command } from 'commander'
import { z } from 'zod'
import { jsonObject } from '../../domain/json.ts'
import { quoteRecord, tokenRecord, tradeRecord } from '../../records/token.ts'
import { type Context, type Done, type Host, onChain, runs, toQuery, withChain } from './command.ts'

const token = tokenRecord.pick({ token: true, name: true, symbol: true, price: true, reserve_asset: true }).catchall(z.json())
const launched = z.object({ status: z.string(), reason: z.string(), token: token.nullable() }).catchall(z.json())
const quote = quoteRecord.pick({ token: true, chain_id: true, digest: true, text: true }).catchall(z.json())
const trade = tradeRecord
  .pick({ reason: true, received: true, symbol: true, asset: true })
  .extend({ status: z.string() })
  .catchall(z.json())

const fees = z.object({ currency: z.string(), waiting: z.string(), paid: z.string(), status: z.string() })

const path = (of: string) => encodeURIComponent(of)
const inWords = (it: z.infer<typeof token>) => `${it.symbol}  ${it.price} ${it.reserve_asset}  ${it.name}  ${it.token}`

export const addTokenCommands = (program: Command, host: Host): void => {
  const group = program.command('token').description("agents' tokens: a speculation, and no part of hiring")
  addReading(group, host)
  const launchCommand = group
    .command('launch')
    .argument('<agent>', 'id or handle of your agent')
    .requiredOption('--name <name>', 'up to 32 characters')
    .requiredOption('--symbol <symbol>', '2 to 10 letters A-Z and digits')
    .option('--reserve <asset>', 'what the curve holds: USDC or WBNB', 'USDC')
    .option('--yes', 'launch without a question')
    .description('launch the token of your agent, once and for good')
  runs(launchCommand, host, {
    example: 'market token launch city-clock --name "City Clock" --symbol CLOCK',
    run: async (context, { name, symbol, reserve, yes }, agent: string) => {
      const { client, say } = context
      const question = `Launch ${String(symbol)} as the only token that ${agent} will ever have?`
      if (!(yes || (await agreed(context, question)))) return { result: { status: 'declined' }, failed: true }
      const body = { name, symbol, reserve_asset: reserve }
      const done = launched.parse(await client.post(`/agents/${path(agent)}/token`, body))
      say(done.token ? inWords(done.token) : `${done.status} ${done.reason}`)
      return { result: done, failed: done.status === 'failed' }
    },
  })
  addFees(group, host)
  for (const side of ['buy', 'sell'] as const) addTrading(group, host, side)
}

const addReading = (group: Command, host: Host) => {
  runs(withChain(group.command('show').argument('<token>', 'address, or agent').description('price, supply and reserve')), host, {
    example: 'market token show city-clock',
    run: async ({ client, say }, options, of: string) => {
      const it = token.parse(await client.get(`/tokens/${path(of)}?${toQuery(onChain(options))}`))
      say(inWords(it))
      say(`  ${it.circulating} in circulation, ${it.reserve} ${it.reserve_asset} in the curve`)
      return { result: it }
    },
  })
  runs(group.command('list').description('all tokens, newest first'), host, {
    example: 'market token list',
    run: async ({ client, say }) => {
      const found = z.object({ tokens: z.array(token), total: z.number() }).parse(await client.get('/tokens'))
      for (const it of found.tokens) say(inWords(it))
      return { result: found }
    },
  })
  runs(withChain(group.command('holdings').description('tokens in your custodial wallet')), host, {
    example: 'market token holdings',
    run: async ({ client }, options) => ({
      result: jsonObject.parse(await client.get(`/v1/holdings?${toQuery(onChain(options))}`)),
    }),
  })
  const quoteCommand = group
    .command('quote')
    .argument('<side>', 'buy or sell')
    .argument('<token>', 'address, or agent')
    .argument('<amount>', 'to pay, or tokens to sell')
    .option('--asset <asset>', 'USDC, WBNB or BNB')
    .description('what a trade would give now')
  runs(withChain(quoteCommand), host, {
    example: 'market token quote buy city-clock 1.50',
    run: async ({ client, say }, { asset, ...options }, ...[side, of, amount]: string[]) => {
      const asked = { side, amount, asset, ...onChain(options) }
      const it = quote.parse(await client.post(`/tokens/${path(of ?? '')}/quotes`, asked))
      say(it.text)
      return { result: it }
    },
  })
}

const addFees = (group: Command, host: Host) => {
  const feesCommand = group
    .command('fees')
    .argument('<agent>', 'id or handle of your agent')
    .description("pay the fees of your agent's token to the agent's wallet")
  runs(feesCommand, host, {
    example: 'market token fees city-clock',
    run: async ({ client, say }, _, agent: string) => {
      const it = fees.parse(await client.post(`/agents/${path(agent)}/token/fees`, {}))
      say(`${it.paid} ${it.currency} paid, ${it.waiting} waiting (${it.status}).`)
      return { result: it }
    },
  })
}

const addTrading = (group: Command, host: Host, side: 'buy' | 'sell') => {
  const sideCommand = group
    .command(side)
    .argument('<token>', 'address, or agent')
    .argument('<amount>', side === 'buy' ? 'to pay' : 'tokens to sell')
    .option('--asset <asset>', 'USDC, WBNB or BNB; by default what the curve holds')
    .option('--slippage <bps>', 'how much less you accept, in hundredths of a percent', '100')
    .option('--yes', 'trade without a question, within the slippage')
    .description(`${side} tokens with your custodial wallet, after your yes to the quote`)
  runs(withChain(sideCommand), host, {
    example: `market token ${side} city-clock 1.50`,
    run: async (context, { asset, slippage, yes, ...options }, ...[of, amount]: [string, string]): Promise<Done> => {
      const { client, say } = context
      const asked = { side, amount, asset, slippage_bps: Number(slippage), ...onChain(options) }
      const quoted = quote.parse(await client.post(`/tokens/${path(of)}/quotes`, asked))
      if (!(yes || (await agreed(context, quoted.text)))) return { result: { status: 'declined', quote: quoted }, failed: true }
      if (yes) say(quoted.text)
      const { digest, chain_id } = quoted
      const done = trade.parse(await client.post(`/tokens/${quoted.token}/trades`, { digest, chain_id }))
      say(done.received === null ? `${done.status} ${done.reason}` : `Received ${done.received}.`)
      return { result: done, failed: done.status === 'failed' }
    },
  })
}

const agreed = async ({ confirm }: Context, question: string): Promise<boolean> => {
  const answer = await confirm(question)
  if (answer === undefined) throw new Error(`${question} Nothing was done. Say yes with --yes, or run this in a terminal.`)
  return answer
}
