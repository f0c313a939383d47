import { toShownDigest } from '../consent/digest.ts'
import { clockTime } from '../durations.ts'
import { withFileNames } from '../files/namedFile.ts'
import { toMandateText } from '../runs/proposalText.ts'
import { toSum } from '../runs/purchaseTerms.ts'
import { toMembers } from '../text/labelled.ts'
import { quoteName } from '../text/quotableText.ts'
import type { Plan, PlanStep, StepHire, StepPurchase } from './plan.ts'
import { needsOf } from './plan.ts'
import type { Reference } from './planStates.ts'

// Names and tasks come from strangers. On one line, and without the mark of a hire tag, they cannot imitate a line of the plan.

/** A reference in words: the summary of step 2. */
export const toReferenceText = ({ from, path }: Reference): string =>
  path === '' ? `the result of step ${from}` : `“${quoteName(path.split('/').at(-1) ?? path)}” of step ${from}`

const toInputText = ({ values, references, isPlain, terms }: StepHire): string => {
  const taken = Object.entries(references).map(([name, it]) =>
    isPlain ? toReferenceText(it) : `${name}: ${toReferenceText(it)}`,
  )
  const known = taken.length === 0 ? terms.input : isPlain ? '' : JSON.stringify(values)
  const said = known === '' || known === '{}' ? [] : toMembers(known).map(it => withFileNames(it, terms.files))
  return [...said, ...taken].map(it => quoteName(it)).join('; ')
}

const whoDoes = ({ terms, agentName, ...of }: StepHire & Pick<PlanStep, 'purchase'>): string =>
  `“${quoteName(terms.offeringName)}” by ${quoteName(agentName)} (${terms.agentHandle}) for ${priceOf({ terms, ...of })} USDC`

const priceOf = ({ terms, purchase }: Pick<PlanStep, 'terms' | 'purchase'>): string => (purchase ? toSum(purchase) : terms.total)

/** What a seller is sent. */
const toRequestText = ({ bodyHash, method }: StepPurchase): string =>
  bodyHash ? `your JSON (SHA-256 ${bodyHash})` : `a ${method} request`

const toStepLines = (step: PlanStep): string[] => {
  const needs = needsOf(step)
  return [
    `${step.number}. ${whoDoes(step)}${needs.length > 0 ? `, needs ${needs.join(' and ')}` : ''}`,
    `   It gets    ${step.purchase ? toRequestText(step.purchase) : toInputText(step) || 'nothing but the order'}`,
    ...(step.leftOut.length > 0 ? [`   Left out   ${step.leftOut.map(quoteName).join('; ')}. The agent does not get this.`] : []),
    ...(step.purchase ? toPurchaseLines(step.purchase) : []),
    ...(step.standby ? [`   If it fails ${whoDoes(step.standby)}`] : []),
  ]
}

/** A purchase has no escrow, and Permit2 moves its price only after an approval. */
const toPurchaseLines = ({ payee, approves, description, outside }: StepPurchase): string[] => [
  `   Payee      ${payee}, without escrow: an answer that you do not like stays paid` +
    (approves ? '. Your wallet first lets Permit2 move the price' : ''),
  ...(description ? [`   It says    ${quoteName(description)}`] : []),
  ...(outside ? [`   Listed     ${outside}`] : []),
]

const ofHires =
  'A step that fails is refunded. Its standby is tried once, if one is named; else the steps that need it are left out, ' +
  'cost nothing, and the others go on.'
const ofPurchases =
  'A hire that fails is refunded, and its standby is tried once, if one is named. What a seller was paid stays paid. ' +
  'The steps that need a result that is not there are left out, cost nothing, and the others go on.'

/** What happens when a step fails, in words. Only a hire has an escrow from which its money comes back. */
export const toOnFailureText = (of: Pick<Plan, 'steps'>): string => (hasPurchase(of) ? ofPurchases : ofHires)

const toUnplannedLine = (unplanned: readonly string[]): string[] =>
  unplanned.length === 0 ? [] : [`Nobody here does: ${unplanned.map(it => quoteName(it).replace(/[.!?]+$/, '')).join('; ')}.`]

/** Says which tasks of a message nobody here does; empty where all are done. */
export const toUnplannedText = (unplanned: readonly string[]): string => toUnplannedLine(unplanned).join('')

/** Says which parts of a message were not read so far; empty where all were. */
export const toUnreadText = (parts: readonly string[]): string =>
  parts.length === 0
    ? ''
    : `Not read so far: ${parts.map(it => `“${it.replace(/\s+/g, ' ').replace(/#{2,}/g, '#')}”`).join('; ')}.`

const hasPurchase = ({ steps }: Pick<Plan, 'steps'>): boolean => steps.some(it => it.purchase)
const toPays = (it: Plan): string =>
  hasPurchase(it)
    ? `  You pay    at most ${it.total} USDC, each hire into escrow when it starts; a hire that fails comes back`
    : `  You pay    at most ${it.total} USDC, each step into escrow when it starts; what fails comes back`

export const toPlanText = (it: Plan): string =>
  [
    `I propose a plan of ${it.steps.length} steps.`,
    ...it.steps.flatMap(toStepLines),
    ...toUnplannedLine(it.unplanned),
    toPays(it),
    `  When       within ${it.withinMinutes} minutes of your yes at the latest`,
    `  Failures   ${toOnFailureText(it)}`,
    ...(it.mandate ? [`  Mandate    ${toMandateText(it.mandate)}`] : []),
    it.mandate?.covers
      ? `Terms ${toShownDigest(it.digest)}.`
      : `Terms ${toShownDigest(it.digest)}, open until ${clockTime(it.lapsesAt)}. ` +
        'Say yes to approve all of it, no to leave it, or “skip 2” to leave a step out.',
  ].join('\n')

export const toPlanPriceText = (it: Plan): string =>
  `All ${it.steps.length} steps cost at most ${it.total} USDC: ${it.steps
    .map(step => `${priceOf(step)} USDC for step ${step.number}`)
    .join(', ')}. The gas is paid by the platform, and a ${hasPurchase(it) ? 'hire' : 'step'} that fails is refunded.`

/** What a yes to a plan does, as in "Shall I approve 3 steps for 0.42 USDC?". */
export const toPlanDeed = ({ steps, total }: Plan): string => `approve ${steps.length} steps for ${total} USDC`

/** Reminds the user that a plan is still open, after an answer to something else. */
export const toPlanReminder = (it: Plan): string =>
  `The plan is still open: ${it.steps.length} steps for ${it.total} USDC, terms ${toShownDigest(it.digest)}. ` +
  'Say yes to approve it, no to leave it, or “skip 2” to leave a step out.'
