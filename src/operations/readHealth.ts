import { z } from 'zod'
import { operation } from './operation.ts'

export const readHealth = operation({
  name: 'readHealth',
  summary: 'Whether the service answers, and what it is made of.',
  caller: 'anyone',
  input: z.object({}),
  output: z.object({
    status: z.literal('healthy'),
    chains: z.array(z.object({ chain_id: z.number(), block: z.number() })),
    search: z.string(),
    model: z.string(),
  }),

  async run(_input, { chains, settings }) {
    const heads = [...chains.values()].map(async chain => ({
      chain_id: chain.chainId,
      block: Number((await chain.head()).number),
    }))
    return { status: 'healthy' as const, chains: await Promise.all(heads), search: 'lexical', model: settings.model }
  },
})
