import { type BaseCheckpointSaver, END, type LangGraphRunnableConfig, START, StateGraph } from '@langchain/langgraph'
import type { ButlerDeps } from './deps.ts'
import { answer } from './nodes/answer.ts'
import { ask } from './nodes/ask.ts'
import { bill } from './nodes/bill.ts'
import { buy } from './nodes/buy.ts'
import { choose } from './nodes/choose.ts'
import { consent } from './nodes/consent.ts'
import { dispatch } from './nodes/dispatch.ts'
import { escrow } from './nodes/escrow.ts'
import { evaluate } from './nodes/evaluate.ts'
import { fill } from './nodes/fill.ts'
import { offer } from './nodes/offer.ts'
import { propose } from './nodes/propose.ts'
import { quote } from './nodes/quote.ts'
import { refund } from './nodes/refund.ts'
import { reply } from './nodes/reply.ts'
import { report } from './nodes/report.ts'
import { revise } from './nodes/revise.ts'
import { search } from './nodes/search.ts'
import { settle } from './nodes/settle.ts'
import { start } from './nodes/start.ts'
import { understand } from './nodes/understand.ts'
import { wait } from './nodes/wait.ts'
import { plan } from './plans/plan.ts'
import { type ButlerState, State, type Update } from './state.ts'
import { withFiles } from './turns/withFiles.ts'

// A language model is asked once a turn, in understand, and sees the day, the talk and the candidates of a first search.
// What it answered is checked and kept in `called`. Search, choose, fill and propose read it there and ask nothing.

// Routing functions: pure, with a result for every state.
/** A step of a plan has its terms and its yes, so its run begins at the escrow, or at the payment. */
export const fromStart = ({ step, purchase }: ButlerState) => (step === undefined ? 'understand' : purchase ? 'buy' : 'escrow')
export const afterUnderstand = ({ to }: ButlerState) => to
export const afterAnswer = ({ stage, isAnswered }: ButlerState) => {
  if (!isAnswered) return 'reply'
  return stage === 'ask' ? 'ask' : 'consent'
}
export const afterChoose = ({ pick, stage, to }: ButlerState) =>
  to === 'plan' ? 'plan' : pick ? 'fill' : stage === 'choices' ? 'offer' : to === 'answer' ? 'answer' : 'reply'
export const afterFill = ({ to, questions }: ButlerState) => (to === 'reply' ? 'reply' : questions.length > 0 ? 'ask' : 'propose')
export const afterAsk = (state: ButlerState) => (state.decision === 'no' ? 'answer' : 'understand')
// The offering may have been removed while its inputs were collected.
export const afterPropose = (state: ButlerState) => (state.proposal ? 'consent' : 'search')
export const afterPlan = ({ to, questions, planned }: ButlerState) => {
  if (questions.length > 0) return 'ask'
  return planned ? 'consent' : to === 'search' || to === 'quote' ? to : 'reply'
}
export const afterStart = ({ isPlanOver, content, planned }: ButlerState) =>
  isPlanOver ? 'bill' : content ? 'reply' : planned ? 'wait' : 'plan'
export const afterQuote = ({ purchase, isBought }: ButlerState) => (isBought ? 'buy' : purchase ? 'consent' : 'reply')
export const afterConsent = ({ decision, purchase, planned }: ButlerState) => {
  if (decision === 'yes') return planned ? 'start' : purchase ? 'buy' : 'escrow'
  if (decision === 'lapsed' && planned) return 'plan'
  if (decision === 'lapsed') return purchase ? 'quote' : 'search'
  return decision === 'no' ? 'answer' : 'understand'
}
export const afterBuy = ({ isBought, content }: ButlerState) => (isBought ? 'report' : content ? 'reply' : 'quote')
export const afterEscrow = (state: ButlerState) => (state.jobId ? 'dispatch' : state.content || state.step ? 'reply' : 'search')
export const afterDispatch = (state: ButlerState) => (state.delivered ? 'evaluate' : 'report')
export const afterEvaluate = (state: ButlerState) => (state.verdict?.pass && !state.verdict.doubted ? 'settle' : 'revise')
export const afterRevise = (state: ButlerState) => (state.revised ? 'dispatch' : state.verdict?.pass ? 'settle' : 'refund')

type Node = (state: ButlerState, config: LangGraphRunnableConfig) => Update | Promise<Update>
/** Gives a node its ports. A history of a run records or replays their calls. */
export type Equip = (make: (deps: ButlerDeps) => Node, deps: ButlerDeps) => Node

type Options = { checkpointer?: BaseCheckpointSaver; equip?: Equip }

/**
 * The butler's graph, from a user's message to settled USDC. It hires agents by escrow and buys resources by x402. Several
 * tasks become a plan, whose steps are runs of their own. Six nodes pause: ask, offer, consent, dispatch, wait and report.
 */
export const butler = (deps: ButlerDeps, { checkpointer, equip = make => make(deps) }: Options = {}) => {
  const node = (make: (deps: ButlerDeps) => Node) => equip(make, deps)
  const plain = (withoutPorts: Node) => node(() => withoutPorts)
  return new StateGraph(State)
    .addNode('understand', node(withFiles(understand)))
    .addNode('answer', node(answer))
    .addNode('search', node(search))
    .addNode('choose', node(choose))
    .addNode('fill', node(fill))
    .addNode('ask', plain(ask))
    .addNode('offer', plain(offer))
    .addNode('propose', node(propose))
    .addNode('plan', node(plan))
    .addNode('start', node(start))
    .addNode('wait', plain(wait))
    .addNode('bill', node(bill))
    .addNode('quote', node(quote))
    .addNode('consent', node(consent))
    .addNode('buy', node(buy))
    .addNode('escrow', node(escrow))
    .addNode('dispatch', plain(dispatch))
    .addNode('evaluate', node(evaluate))
    .addNode('settle', node(settle))
    .addNode('revise', node(revise))
    .addNode('refund', node(refund))
    .addNode('report', node(report))
    .addNode('reply', node(reply))
    .addConditionalEdges(START, fromStart, ['understand', 'escrow', 'buy'])
    .addConditionalEdges('understand', afterUnderstand, ['answer', 'search', 'quote', 'fill', 'plan', 'consent', 'reply'])
    .addConditionalEdges('answer', afterAnswer, ['ask', 'consent', 'reply'])
    .addEdge('search', 'choose')
    .addConditionalEdges('choose', afterChoose, ['fill', 'plan', 'offer', 'answer', 'reply'])
    .addEdge('offer', 'understand')
    .addConditionalEdges('fill', afterFill, ['ask', 'propose', 'reply'])
    .addConditionalEdges('ask', afterAsk, ['understand', 'answer'])
    .addConditionalEdges('propose', afterPropose, ['consent', 'search'])
    .addConditionalEdges('plan', afterPlan, ['ask', 'consent', 'search', 'quote', 'reply'])
    .addConditionalEdges('start', afterStart, ['wait', 'bill', 'plan', 'reply'])
    .addEdge('wait', 'start')
    .addEdge('bill', 'reply')
    .addConditionalEdges('quote', afterQuote, ['buy', 'consent', 'reply'])
    .addConditionalEdges('consent', afterConsent, ['escrow', 'buy', 'start', 'understand', 'search', 'plan', 'quote', 'answer'])
    .addConditionalEdges('buy', afterBuy, ['report', 'quote', 'reply'])
    .addConditionalEdges('escrow', afterEscrow, ['dispatch', 'search', 'reply'])
    .addConditionalEdges('dispatch', afterDispatch, ['evaluate', 'report'])
    .addConditionalEdges('evaluate', afterEvaluate, ['settle', 'revise'])
    .addConditionalEdges('revise', afterRevise, ['dispatch', 'settle', 'refund'])
    .addEdge('settle', 'report')
    .addEdge('refund', 'report')
    .addEdge('report', 'reply')
    .addEdge('reply', END)
    .compile({ checkpointer, name: 'butler' })
}
