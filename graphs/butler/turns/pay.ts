import { toPurchaseText } from '../../../src/domain/x402/purchaseProposal.ts'
import { readWantedResource } from '../../../src/domain/x402/wantedResource.ts'
import type { Understanding } from '../../../src/ports.ts'
import type { ButlerDeps } from '../deps.ts'
import { begin, notServed, toTasks } from './begin.ts'
import { answer, type Heard, type Step, unread } from './heard.ts'
import { resourceOf } from './paysFor.ts'

/** Starts a purchase of the resource that the message names, with its limit on the price. Several tasks become a plan. */
export const pay: Step = async (deps, state, of) => {
  const tasks = toTasks(of.text, of.reading.slots?.tasks, of.called)
  const paid = tasks.length > 1 ? await Promise.all(tasks.map(it => resourceOf(deps, { said: [of.text] }, it.words))) : []
  if (paid.some(it => it !== undefined)) return begin(deps, state, of)
  const resource = readWantedResource(of.text)
  if (typeof resource === 'string') return { ...unread, ...answer('pay', resource) }
  const { maxPrice, chainId = state.chainId } = await readLimits(deps, of)
  if (!deps.servesChain(chainId)) return { ...unread, ...answer('pay', notServed(chainId)) }
  // A question is answered with a proposal, and no mandate agrees to that.
  const asks = of.text.replaceAll(resource.url, '').includes('?') ? { asked: true } : {}
  return { ...unread, act: 'pay', to: 'quote', said: [of.text], task: of.text, resource, maxPrice, chainId, notice: '', ...asks }
}

/** Handles a reply to a proposed purchase that is neither yes nor no: another limit on its price, or a question about it. */
export const aboutPurchase: Step = async (deps, state, of) => {
  const { purchase } = state
  const { act } = of.reading
  const terms = purchase ? toPurchaseText(purchase) : ''
  if (act !== 'change') return answer('about', terms)
  const { maxPrice } = await readLimits(deps, of)
  if (maxPrice === undefined) return answer('about', `${unchanged}\n${terms}`)
  return { act: 'change', to: 'quote', maxPrice, asked: true, stage: 'none', purchase: undefined, notice: '' }
}

const unchanged = 'The seller sets these terms. You can give me another limit on the price, or another address.'

const readLimits = async ({ rules }: ButlerDeps, { text, reading }: Heard): Promise<Understanding> =>
  reading.slots?.wish ?? rules.understand(text)
