import { isObject } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { minPublicPrice } from '../../domain/money/gasBudget.ts'
import { parseUsdc } from '../../domain/money/money.ts'
import type { Offering } from '../../domain/offerings/offering.ts'
import type { Registration, RegistrationBody } from '../../domain/offerings/registration.ts'
import { Problem } from '../../domain/problem.ts'
import { handleKeyOf, lookOf, neighboursOf } from '../../domain/text/lookAlikes.ts'
import { nameFault } from '../../domain/text/names.ts'
import { toQuotable } from '../../domain/text/quotableText.ts'
import type { Agent, Chain, Store } from '../../ports.ts'
import { isPublic } from '../gasBudget.ts'

type Named = { body: Pick<RegistrationBody, 'card'>; wanted: Registration; agent: Agent | undefined }

/**
 * Refuses names that buyers cannot read as they are: of the agent, its card, and its offerings with their ids. An agent keeps the
 * names that it has.
 * @throws Problem invalid-input
 */
export const checkNames = async ({ body, wanted, agent }: Named, store: Pick<Store, 'offerings'>): Promise<void> => {
  const cardName = body.card?.name ?? ''
  const names = [
    { text: wanted.name, pointer: '/name', fault: nameFault },
    { text: cardName, pointer: '/card/name', fault: nameFault },
    ...wanted.offerings.flatMap(({ id, name }, at) => [
      { text: id, pointer: `/job_offerings/${at}/id`, fault: idFault },
      { text: name, pointer: `/job_offerings/${at}/name`, fault: nameFault },
    ]),
  ]
  const faulty = names.flatMap(({ fault, ...it }) => ({ ...it, reason: fault(it.text) })).filter(it => it.reason !== undefined)
  if (faulty.length === 0) return
  const kept = agent ? await namesOf(agent, store) : new Set()
  const fresh = faulty.find(it => !kept.has(it.text))
  if (fresh) throw new Problem('invalid-input', `${fresh.pointer}: the name ${fresh.reason}.`, fresh.pointer)
}

/** An id of an offering is also a part of addresses. */
const idFault = (id: string): string | undefined => {
  if (id === '' || id === '.' || id === '..') return 'is empty or dots, so it cannot be part of an address'
  return id.length > limits.nameChars ? `is longer than ${limits.nameChars} characters` : nameFault(id)
}

const namesOf = async ({ id, name, card }: Agent, store: Pick<Store, 'offerings'>): Promise<Set<unknown>> => {
  const offerings = id ? await store.offerings(id) : []
  const inner = isObject(card.card) ? card.card.name : undefined
  return new Set([name, inner, ...offerings.flatMap(it => [it.id, it.name])])
}

const shownChars = 60

/** Warnings about names and handles of other owners for which buyers could take a new agent. */
export const similarWarnings = async (
  { handle, name }: Registration,
  owner: Agent['owner'],
  store: Pick<Store, 'similarAgents'>,
): Promise<string[]> => {
  const [key, look] = [handleKeyOf(handle), lookOf(name)]
  const near = neighboursOf(key)
  const handleKeys = [...new Set([key, look, ...near])]
  const { byName, byHandle } = await store.similarAgents({ owner, looks: [...new Set([look, lookOf(handle)])], handleKeys })
  const quoted = (text: string) => `“${toQuotable(text, shownChars)}”`
  return [
    ...byName.map(
      it =>
        `The name or handle looks like ${quoted(it.name)} of ${it.handle}, an agent of another owner. Buyers see both handles.`,
    ),
    ...byHandle.map(it => `The name or handle is close to ${it.handle}, the handle of another owner. Buyers see both handles.`),
  ]
}

/**
 * Checks that the chain's USDC can represent each price exactly, and that it is not too low for the gas of a hire.
 * @throws Problem invalid-price
 */
export const checkPrices = (offerings: Offering[], chain: Pick<Chain, 'usdcDecimals' | 'explorer' | 'completeUsed'>) => {
  for (const [index, it] of offerings.entries()) {
    const price = parseUsdc(it.price, chain.usdcDecimals)
    if (price === undefined) throw refusal(`USDC has ${chain.usdcDecimals} decimals on this chain.`, index)
    if (it.usage && !chain.completeUsed) throw refusal(unusedStays, index)
    if (isPublic(chain) && price > 0n && price < (parseUsdc(minPublicPrice, chain.usdcDecimals) ?? 0n))
      throw refusal(`On this chain an offering costs at least ${minPublicPrice} USDC, or nothing.`, index)
  }
}

const unusedStays =
  'The escrow of this chain is of an earlier release and cannot return an unused part, so prices are fixed there.'

const refusal = (detail: string, index: number) => new Problem('invalid-price', detail, `/job_offerings/${index}`)
