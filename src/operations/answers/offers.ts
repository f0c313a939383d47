import { limits } from '../../domain/limits.ts'
import { toQuotable } from '../../domain/text/quotableText.ts'
import type { ListedService } from '../../ports.ts'
import type { Deps } from '../operation.ts'

/** What the market sells now: the number of offerings, names of some, and requests that their agents give as examples. */
export type Offers = { count: number; names: string[]; examples: string[] }

const readOfferings = 40
const maxNames = 5
const maxExamples = 3
const exampleChars = 70
const nameChars = 60

/** The first listed offering of each agent, in the order of the list. */
const firstOfEachAgent = (listed: ListedService[]): ListedService[] =>
  listed.filter((it, at) => listed.findIndex(other => other.agentId === it.agentId) === at)

/** Reads one offering of each of several agents, those of agents that are online now if there are any. */
export const readOffers = async ({ store, gateway }: Pick<Deps, 'store' | 'gateway'>): Promise<Offers> => {
  const online = gateway.presence.healthy().slice(0, limits.filteredAgents)
  const [count, listed] = await Promise.all([
    store.countListed(),
    store.listed({ order: 'sample', limit: readOfferings, offset: 0, ...(online.length > 0 && { agentIds: online }) }),
  ])
  const firsts = firstOfEachAgent(listed)
  return {
    count,
    names: firsts.slice(0, maxNames).map(it => toQuotable(it.name, nameChars)),
    examples: firsts
      .flatMap(it => it.examples?.map(text => toQuotable(text, exampleChars + 1)).find(text => text.length <= exampleChars) ?? [])
      .slice(0, maxExamples),
  }
}
