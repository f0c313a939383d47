import { nobody } from '../../domain/hex.ts'
import { formatUsdc } from '../../domain/money/money.ts'
import { english } from '../../domain/phrases/tables/english.ts'
import { tables } from '../../domain/phrases/tables.ts'
import type { TurnAct } from '../../domain/runs/acts.ts'
import type { Choice } from '../../domain/runs/question.ts'
import { toPurchaseText } from '../../domain/x402/purchaseProposal.ts'
import { readMarketQuestion } from '../../language/text/marketQuestion.ts'
import { languageOf } from '../../language/words/language.ts'
import type { Turn } from '../../ports.ts'
import { describeMandates } from '../mandates/answerAboutMandates.ts'
import type { Deps } from '../operation.ts'
import { aboutBought, aboutChoices, aboutJob, aboutProposal, leaving, unpaidText } from './about.ts'
import { appeal, balance, cancel, jobsOf, refund, status } from './aboutJobs.ts'
import { describeMarket, type FactDeps, type Facts, isUnpaid, readFacts } from './facts.ts'
import {
  capabilitiesText,
  declinedText,
  greetingText,
  howItWorksText,
  mandatesText,
  readOffers,
  thanksText,
  withdrawText,
} from './service.ts'
import { spending } from './spending.ts'

export type RespondDeps = FactDeps & Pick<Deps, 'settings'>

/**
 * Carries out an act that is no hire, and returns the answer. Its facts are read from the database at this moment.
 * @throws RangeError when the run does not exist
 */
export const respond = async (deps: RespondDeps, turn: Turn): Promise<string> => {
  const facts = await readFacts(deps, turn.runId)
  return answers[turn.act](deps, facts, turn)
}

type Answer = (deps: RespondDeps, facts: Facts, turn: Turn) => Promise<string> | string

const isOpen = ({ proposal, purchase, questions, choices }: Turn) =>
  proposal !== undefined || purchase !== undefined || questions.length > 0 || choices.length > 0

const nothingOpen: Answer = (_, facts) =>
  !isUnpaid(facts)
    ? 'There is no proposal open that you could say yes to. Tell me what you need done.'
    : `There is nothing to say yes to yet. ${unpaidText} Tell me what you need done.`

/** Matches a question about an earlier job while something else is open. */
const earlier = /\b(?:first|last|previous|earlier|old) (?:answer|result|one|job|text|order)\b/i
/** Matches a question about whether anything was hired or paid at all. */
const deed = /\b(?:nothing|did(?:n't)? you|have you|was (?:anything|anyone)|hired?|bought|buy any|paid)\b/i

const about: Answer = async (deps, facts, turn) => {
  const { proposal, questions, text } = turn
  if (facts.jobs.length > 0 && earlier.test(text)) return (await aboutJob(deps, facts, turn)) ?? unpaidText
  if (isUnpaid(facts) && !proposal && deed.test(text)) return `Right: ${unpaidText.toLowerCase()} Tell me what you need done.`
  if (turn.purchase) return toPurchaseText(turn.purchase)
  if (proposal) return aboutProposal(deps, proposal, turn)
  if (questions.length > 0)
    return 'The agent needs this before it can start. If you cannot say, say “never mind”, and I leave it.'
  const offers = turn.choices.length > 0 ? turn.choices : await mentioned(deps, facts)
  if (offers.length > 0) return aboutChoices(deps, offers, text)
  const [bought] = facts.bought
  return (
    (await aboutJob(deps, facts, turn)) ??
    (bought && (await aboutBought(deps, bought))) ??
    `No, I did nothing: ${unpaidText.toLowerCase().replace(/\.$/, '')}. Tell me what you need done.`
  )
}

const mentioned = async ({ store }: RespondDeps, { run }: Facts): Promise<Choice[]> => {
  const [, before] = await store.latestRuns(run.conversationId, run.user, 2)
  return before?.choices ?? []
}

const answers: Record<TurnAct, Answer> = {
  task: nothingOpen,
  answer: nothingOpen,
  change: nothingOpen,
  pick: nothingOpen,
  yes: nothingOpen,
  no: (_, facts, turn) => leaving(facts, isOpen(turn)),
  status: async (deps, facts) => {
    const [bought] = facts.jobs.length === 0 ? facts.bought : []
    return bought ? aboutBought(deps, bought) : status(deps, facts)
  },
  cancel: (deps, facts, turn) => cancel(deps, facts, { text: turn.text, isOpen: isOpen(turn) }),
  refund: (deps, facts, turn) => refund(deps, facts, { text: turn.text, isOpen: isOpen(turn) }),
  appeal: (deps, facts, { text }) => appeal(deps, facts, text),
  spending: (deps, facts, { text }) => named(facts, () => spending(deps, facts, text)),
  balance: (deps, facts, { proposal, purchase }) => named(facts, () => balance(deps, facts, (proposal ?? purchase)?.total)),
  jobs: (deps, facts) => named(facts, () => jobsOf(deps, facts)),
  about,
  price: about,
  recommend: (deps, facts, turn) => {
    const question = readMarketQuestion(turn.text)
    return question ? describeMarket(deps, question) : about(deps, facts, turn)
  },
  capabilities: async deps => capabilitiesText(await readOffers(deps), deps.settings.model === 'rules'),
  'how-it-works': (_, __, { text }) => howItWorksText(text),
  mandates: (deps, facts) => named(facts, async () => mandatesText(await describeMandates(deps, facts.run.user))),
  pay: nothingOpen,
  withdraw: (deps, facts) => named(facts, () => withdrawal(deps, facts)),
  greeting: async deps => greetingText(await readOffers(deps)),
  thanks: (_, { underWay }) => thanksText(underWay.length),
  declined: () => declinedText,
  language: (_, __, { text }) => tables[languageOf(text)]?.onlyEnglish ?? english.onlyEnglish,
  none: () => 'I did not understand that. Tell me in plain words what you need done.',
}

/** Calls `say` only for an authenticated user, because an anonymous one has no wallet, jobs or mandates. */
const named = ({ run }: Facts, say: () => Promise<string>) =>
  run.user === nobody
    ? 'You are not signed in, so there is no wallet, job or mandate of yours. Ask again with your token.'
    : say()

const withdrawal = async (deps: RespondDeps, { run }: Facts): Promise<string> => {
  const wallet = await deps.wallets.ensure('user', run.user)
  const chain = deps.chains.get(run.chainId)
  return withdrawText(wallet, chain ? formatUsdc(await chain.usdcBalance(wallet), chain.usdcDecimals) : '0')
}

/** Returns a sentence that nothing was hired or paid if the conversation has no job and no purchase; otherwise an empty text. */
export const unpaid = async (deps: Pick<Deps, 'store'>, runId: string): Promise<string> =>
  isUnpaid(await readFacts(deps, runId)) ? unpaidText : ''
