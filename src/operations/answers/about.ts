import { toReputationText } from '../../domain/agents/reputation.ts'
import { clockTime, span } from '../../domain/durations.ts'
import { deliverableFor } from '../../domain/jobs/job.ts'
import { toUsageText } from '../../domain/offerings/usagePrice.ts'
import type { Proposal } from '../../domain/runs/proposal.ts'
import type { Choice } from '../../domain/runs/question.ts'
import { toNoHurry } from '../../domain/runTexts/butler.ts'
import { toLabel, toLabelled } from '../../domain/text/labelled.ts'
import { toQuotable } from '../../domain/text/quotableText.ts'
import { isUnderWay } from '../../domain/x402/purchase.ts'
import { putsOff } from '../../language/text/stalling.ts'
import type { Purchase } from '../../ports.ts'
import { describeLiveness } from '../agents/reputations.ts'
import { describeJob, fallback } from './aboutJobs.ts'
import { type FactDeps, type Facts, inputOf, isUnpaid, nameOf, type Topic, topicOf } from './facts.ts'
import { describeDeliverable, describeEnded, describeLast } from './lastWork.ts'

export const aboutProposal = async (
  deps: FactDeps,
  it: Proposal,
  { text, topic }: { text: string; topic?: string | undefined },
): Promise<string> => {
  const [agent, listing] = await Promise.all([deps.store.agent(it.agentId), deps.store.listing(it.agentId, it.offeringId)])
  const alive = await describeLiveness(deps, it.agentId)
  const who =
    `${it.agentName} (${it.agentHandle}, ${alive}) would do it.` +
    (agent?.description ? ` It describes itself: “${agent.description.slice(0, 200)}”` : '')
  const record = it.reputation
    ? `Its record: ${toReputationText(it.reputation)}.`
    : 'It has no record yet: nobody has hired it so far.'
  const cost = it.usage
    ? `It costs at most ${it.total} USDC: ${toUsageText(it.usage)}. The unused part comes back with the payment; ` +
      `the platform fee of at most ${it.fee} USDC is included, and the platform pays the gas.`
    : `It costs ${it.total} USDC in all. That is final: ` +
      `it includes the platform fee of ${it.fee} USDC, and the platform pays the gas.`
  const time = `It takes up to ${span(it.slaMinutes)} after your yes. The proposal is open until ${clockTime(it.lapsesAt)}.`
  const sent = `It gets exactly this, and nothing else about you:\n${toLabelled(it.input)}`
  const gained = listing
    ? describeDeliverable(listing)
    : `You get ${it.youGet.map(one => toLabel(one.field)).join(', ') || 'one text'}.`
  const get = `${gained} It is judged by: ${it.judgedBy.join('; ')}.`
  const rivals = it.alternatives.map(
    other => `“${other.offeringName}” by ${other.agentHandle} for ${other.price} USDC (${other.why})`,
  )
  const others = rivals.length > 0 ? `Similar offerings: ${rivals.join('; ')}.` : 'I found no other agent that does this.'
  const why = `I chose it because ${it.reason.replace(/\.$/, '')}. ${others}`
  const topics: Topic<string>[] = [
    { name: 'who', words: 'who behind agent human bot online', say: `${who} ${record}` },
    {
      name: 'record',
      words: 'done before often jobs good reliable trust reviews review rating reputation record experienced trustworthy',
      say: `${record} ${it.agentName} (${it.agentHandle}) is ${alive}.`,
    },
    { name: 'input', words: 'sent send get gets data see sees about me exactly input name understand put', say: sent },
    {
      name: 'cost',
      words: 'cost costs price much pay total fee fees extra final expensive hidden currency usdc cent cents dollar dollars',
      say: cost,
    },
    { name: 'time', words: 'long time take takes when quick fast quickly ready need until valid', say: time },
    { name: 'result', words: 'I receive result look include included format judged checked check quality', say: get },
    {
      name: 'later',
      words: 'think wait moment hold minute later sure yes agree agreed',
      say: toNoHurry(it.lapsesAt),
    },
    { name: 'why', words: 'why reason should', say: `${why} ${cost}` },
    { name: 'others', words: 'other others alternatives alternative else', say: others },
  ]
  const isGetting = /\b(?:what|which)\b.*\b(?:do|will|would) i get\b/i.test(text)
  return isGetting && !topic
    ? get
    : (topicOf(text, topics, topic ?? (putsOff(text) ? 'later' : undefined)) ?? `${who} ${cost} ${time}`)
}

/** Answers a question about offerings that were shown or that the last answer named. */
export const aboutChoices = async (deps: FactDeps, choices: Choice[], text: string): Promise<string> => {
  const place = [/\bfirst|\b1st|\bone\b.*\b1\b/i, /\bsecond|\b2nd|\b2\b/i, /\bthird|\b3rd|\b3\b/i].findIndex(it => it.test(text))
  const lower = text.toLowerCase()
  const named = choices.filter(it => lower.includes(it.agent_handle.toLowerCase()) || lower.includes(it.name.toLowerCase()))
  const meant = named.length > 0 ? named : place >= 0 && choices[place] ? [choices[place]] : choices
  const lines = await Promise.all(
    meant
      .flatMap(it => (it ? [it] : []))
      .map(async it => {
        const listing = await deps.store.listing(it.agent_id, it.offering_id)
        if (!listing) return `“${it.name}” by ${it.agent_handle} is no longer listed.`
        return (
          `“${listing.name}” by ${listing.agentName} (${listing.agentHandle}, ` +
          `${await describeLiveness(deps, it.agent_id)}) costs ${listing.price} USDC and takes up to ` +
          `${span(listing.slaMinutes)}. ${listing.description}`
        )
      }),
  )
  return lines.join('\n')
}

/** Describes a purchase by x402: its payment is under way, or how it ended. */
export const aboutBought = async (deps: FactDeps, purchase: Purchase): Promise<string> =>
  isUnderWay(purchase)
    ? `The payment for ${toQuotable(purchase.url, urlChars)} is under way. ${purchase.reason}`.trim()
    : (deps.buying?.describe(deps, purchase.id) ?? '')

const urlChars = 300

/** Answers a question about the last job of the conversation; undefined if there is none. */
export const aboutJob = async (
  deps: FactDeps,
  { underWay, ended, jobs }: Facts,
  { text, topic }: { text: string; topic?: string | undefined },
): Promise<string | undefined> => {
  const [running] = underWay
  const isFirst = /\bfirst\b/i.test(text)
  const job = running ?? (isFirst ? jobs.at(-1) : ended)
  if (!job) return undefined
  if (running) {
    const now = await describeJob(deps, running)
    const topics: Topic<string>[] = [
      { words: 'who agent does doing has', say: now },
      {
        words: 'order ordered ask asked what again send sent',
        say: `You ordered ${nameOf(running)}. It gets:\n${inputOf(running)}\n${now}`,
      },
      {
        name: 'note',
        words: '',
        say: `I cannot pass a note on to ${running.terms.agentHandle} while it works. ${now} ${fixedInput}`,
      },
    ]
    return topicOf(text, topics, topic) ?? `${now} ${fixedInput}`
  }
  const deliverable = deliverableFor(job)
  const result = deliverable ? `${job.terms.agentHandle} delivered:\n${toLabelled(deliverable)}` : await describeEnded(deps, job)
  const topics: Topic<string>[] = [
    { words: 'who made wrote agent', say: await describeLast(deps, job) },
    { words: 'why fail failed wrong problem reason happened refunded rejected', say: await describeEnded(deps, job) },
    { words: 'show see result again answer say said deliver delivered came out link download', say: result },
    {
      words: 'go out sent work worked did',
      say: job.state === 'settled' ? `Yes, it was delivered. ${result}` : await describeEnded(deps, job),
    },
  ]
  return (
    topicOf(text, topics) ?? `${await describeEnded(deps, job)}${job.deliverable && job.state === 'settled' ? `\n${result}` : ''}`
  )
}

const fixedInput = 'Its input can no longer be changed. For other terms, tell me the task again and I propose a new job.'

export const unpaidText = 'Nothing was hired and nothing was paid.'

export const leaving = (facts: Facts, isOpen: boolean): string => {
  const rest = facts.underWay.map(it => `${nameOf(it)} continues; say “cancel” to cancel it. ${fallback(it)}`)
  if (rest.length > 0) return ['All right, I change nothing.', ...rest].join(' ')
  if (isUnpaid(facts)) return `All right. ${unpaidText}`
  return isOpen ? 'All right, I did not hire anyone for this.' : 'All right. Tell me when you need something else.'
}
