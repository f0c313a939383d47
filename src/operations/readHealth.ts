import { z } from 'zod'
import { Problem } from '../domain/problem.ts'
import type { Chain, Store } from '../ports.ts'
import { operation } from './operation.ts'

const chainHealth = z.object({
  chain_id: z.number(),
  block: z.number(),
  embedded: z.boolean().describe('A chain of this service alone, with test money'),
  explorer: z.string().optional().describe('Where the public sees it: <explorer>/tx/<hash>; absent for an embedded chain'),
  notes: z.array(z.string()).describe('What the operator has to do before this chain can settle'),
})
const refusal = z.object({ chain_id: z.number(), reason: z.string() })

export const readHealth = operation({
  name: 'readHealth',
  summary: 'Whether the service answers, what it is made of, and which configured chains it does not serve, and why.',
  caller: 'anyone',
  input: z.object({}),
  output: z.object({
    status: z.literal('healthy'),
    chains: z.array(chainHealth),
    refused_chains: z.array(refusal),
    search: z.string(),
    model: z.string(),
  }),

  async run(_input, { store, chains, refusedChains = new Map(), settings }) {
    const answers = await Promise.all([...chains.values()].map(chain => lookAt(chain, store)))
    const refused = [...refusedChains].map(([chain_id, reason]) => ({ chain_id, reason }))
    return {
      status: 'healthy' as const,
      chains: answers.filter(it => 'block' in it),
      refused_chains: [...answers.filter(it => 'reason' in it), ...refused].sort((one, other) => one.chain_id - other.chain_id),
      search: 'lexical',
      model: settings.model,
    }
  },
})

/** One silent chain leaves the others served. */
const lookAt = async (
  chain: Chain,
  store: Pick<Store, 'senderNotes'>,
): Promise<z.infer<typeof chainHealth> | z.infer<typeof refusal>> => {
  const { chainId: chain_id, explorer } = chain
  try {
    const paused = (await store.senderNotes(chain_id)).map(it => it.note)
    const block = Number((await chain.head()).number)
    const notes = [...(await notesOf(chain)), ...paused]
    return { chain_id, block, embedded: !explorer, ...(explorer && { explorer }), notes }
  } catch (error) {
    if (error instanceof Problem) return { chain_id, reason: error.detail }
    throw error
  }
}

/** The treasury fills every wallet that has to send; when it cannot, only what a wallet still holds can be sent. */
const notesOf = async (chain: Chain): Promise<string[]> => {
  const { treasury, evaluator } = chain
  if (await chain.hasGas(treasury, chain.topUp(evaluator))) return []
  const notes = [`The treasury ${treasury} cannot fill other wallets: send it native coin of chain ${chain.chainId}.`]
  if (await chain.hasGas(evaluator, chain.complete(0n, ''))) return notes
  return [...notes, `The evaluator ${evaluator} cannot settle: it has no native coin and waits for the treasury.`]
}
