import { limits } from '../../domain/limits.ts'
import { toQuotable } from '../../domain/text/quotableText.ts'
import type { ListedService } from '../../ports.ts'
import type { Deps } from '../operation.ts'
import { type Topic, topicOf } from './facts.ts'

/** What the market sells now: the number of offerings, names of some, and requests that their agents give as examples. */
type Offers = { count: number; names: string[]; examples: string[] }

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

const steps =
  'You say in your own words what you need. I look for an agent that does it and show you a proposal: ' +
  'who does it, what is sent, the price, how long it takes. ' +
  'Only after your yes does the price go into escrow, where a contract holds it. The result is checked; ' +
  'if it passes, the agent is paid, and if it fails or does not come in time, the money comes back to you.'

const escrow =
  'Escrow is a contract on the chain that holds your money between your yes and the result. ' +
  'Neither the agent nor I can spend it. It is released to the agent when the result passes its checks. ' +
  'It is returned to you when the result fails them, or when nothing is delivered in time.'

const howItWorks: Topic<string>[] = [
  {
    words: 'deliver answer late nobody never time offline disappear happens fails fail expire deadline nothing',
    say:
      'If an agent does not deliver in time, the escrow returns your money to your wallet by itself; ' +
      'every proposal says by when. Before an agent has taken a job, you can also cancel it and get the money back at once.',
  },
  {
    words:
      'rubbish bad wrong like happy checked check checks judge judged decides quality good appeal ' +
      'appeals complain poor satisfied',
    say:
      'A result is checked against what the offering promised before anybody is paid. ' +
      'If it fails, it is sent back to the agent while time allows; if it still fails, the money comes back to you. ' +
      'A result that passes is paid at once, and the payment is final; ' +
      'you can appeal within seven days, which counts against the agent.',
  },
  {
    words:
      'escrow holds hold held keeps kept meanwhile until safe secure protected steal lose trust guarantee ' +
      'released advance upfront',
    say: escrow,
  },
  {
    words: 'fee fees commission cut percentage charge gas free cost costs extra',
    say:
      'Asking me costs nothing. For a hire you pay the price on the proposal and nothing more: ' +
      'the platform fee is deducted from it before the agent is paid, and the platform pays the gas.',
  },
  {
    words: 'see sees read reads data private privacy message messages store confidential write know',
    say:
      'Only the agent that you hire gets your input, and only what the proposal shows under “It gets”. ' +
      'What you write to me is kept with your account; other users and agents do not see it. ' +
      'If a language model is configured, its provider reads it as well.',
  },
  {
    words: 'list own agent provider register sell offer earn service become',
    say:
      'To list your own agent, register it with a handle and at least one offering: ' +
      'on the page under “Agents”, or with POST /agents/register. ' +
      'It is found within seconds, gets jobs by polling the gateway, and is paid into its own wallet.',
  },
  {
    words: 'add top deposit fund funds money left empty test get put more enough',
    say:
      'Your wallet here has an address; send USDC to it from any wallet on the same chain, and your balance grows. ' +
      'If it is too low, your yes hires nothing, and I tell you how much is missing. ' +
      'In the local world a new user gets test USDC.',
  },
  {
    words: 'cancel mind stop withdraw later',
    say:
      'You can cancel a job until its agent has taken it: say “cancel”, and the escrow returns your money. ' +
      'After that it continues until it is delivered or its time runs out.',
  },
  {
    words: 'refund refunds back return',
    say:
      'Money comes back by itself when nothing is delivered in time or the result fails its checks, ' +
      'and when you cancel before the agent has taken the job. ' +
      'Once a result has passed its checks, the agent is paid, and the escrow returns nothing.',
  },
  {
    words: 'digest terms',
    say:
      'The digest is a short fingerprint of all terms of a proposal. Your yes counts for exactly these terms; ' +
      'if any of them changes, your earlier yes no longer counts.',
  },
  {
    words: 'choose find rated rating ranking reputation',
    say:
      'I compare what you said with every offering: its description, examples, input, price and promised time, ' +
      'and the record of its agent. I show my reasons in the proposal; you decide.',
  },
  {
    words: 'chain blockchain usdc token wallet',
    say:
      'Prices are in USDC, a token worth one US dollar. Every user has a wallet here that pays into escrow; ' +
      'the chain and its transactions are named with every payment.',
  },
  {
    words: 'contact support human someone',
    say:
      'I am software, and there is no help desk behind me. ' +
      'Ask me about a job, its money or its terms, and I answer from the records.',
  },
]

export const howItWorksText = (text: string): string =>
  `${topicOf(text, howItWorks) ?? `${steps} Asking costs nothing.`}\nTell me what you need, and I show you a proposal first.`

const quoted = (texts: string[]): string => texts.map(it => `“${it}”`).join(', ')

const listedText = ({ count, names }: Offers): string => {
  if (count === 0) return 'No offering is listed at the moment.'
  const listed = count === 1 ? '1 offering is listed now' : `${count} offerings are listed now`
  return names.length > 0 ? `${listed}, such as ${quoted(names)}.` : `${listed}.`
}

/** Says what the butler does, with offerings and example requests of this market. */
export const capabilitiesText = (offers: Offers, isRules: boolean): string =>
  [
    'I am the butler of this market: software, not a person. ' +
      `I find agents that do small jobs, and hire one only after your yes. ${listedText(offers)}`,
    `${offers.examples.length > 0 ? `Say for example ${quoted(offers.examples)}. ` : ''}You can also ask for the status ` +
      'of a job, cancel it, see your balance and spending, and set a spending limit.',
    ...(isRules ? ['I understand English by examples and rules here: no language model is configured.'] : []),
  ].join('\n')

const mandateText =
  'A spending limit lets me hire without asking, within what you set: ' +
  'an amount per day, week or month, and an amount per job. Without one I ask before every hire. Say it like this: ' +
  'up to 5 USDC a week, at most 1 a job, ask above 0.50. “Show my spending limits” lists them, “end my spending limit” ends them.'
export const mandatesText = (live: string) => `${mandateText}\n${live}`

export const withdrawText = (wallet: string, holds: string) =>
  `Your wallet here (${wallet}) holds ${holds} USDC. ` +
  'To take it out, use “Withdraw” on the page, or POST /v1/withdrawals with an amount: ' +
  'it goes to the wallet that you signed in with, or to an address that you added. I cannot withdraw it from this chat.'

export const declinedText =
  'I do not help with that: it would harm somebody or break the law, and no agent here may be hired for it. ' +
  'Ask me for something else.'

export const greetingText = ({ examples }: Offers): string =>
  `Hello. Tell me in plain words what you need done${
    examples.length > 0
      ? `, for example ${examples
          .slice(0, 2)
          .map(it => `“${it}”`)
          .join(' or ')}`
      : ''
  }. I show you a proposal first.`
export const thanksText = (jobs: number) =>
  jobs > 0
    ? 'You are welcome. Your job continues; say “status” at any time to see how far it is.'
    : 'You are welcome. Tell me when you need something else.'
