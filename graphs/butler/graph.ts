import { type BaseCheckpointSaver, END, START, StateGraph } from '@langchain/langgraph'
import type { ButlerDeps } from './deps.ts'
import { answer } from './nodes/answer.ts'
import { ask } from './nodes/ask.ts'
import { choose } from './nodes/choose.ts'
import { consent } from './nodes/consent.ts'
import { dispatch } from './nodes/dispatch.ts'
import { escrow } from './nodes/escrow.ts'
import { evaluate } from './nodes/evaluate.ts'
import { fill } from './nodes/fill.ts'
import { offer } from './nodes/offer.ts'
import { propose } from './nodes/propose.ts'
import { refund } from './nodes/refund.ts'
import { reply } from './nodes/reply.ts'
import { report } from './nodes/report.ts'
import { revise } from './nodes/revise.ts'
import { search } from './nodes/search.ts'
import { settle } from './nodes/settle.ts'
import { understand } from './nodes/understand.ts'
import { type ButlerState, State } from './state.ts'

// Routing functions: pure, with a result for every state.
export const afterUnderstand = ({ to }: ButlerState) => to
export const afterAnswer = ({ stage, isAnswered }: ButlerState) => {
  if (!isAnswered) return 'reply'
  return stage === 'ask' ? 'ask' : 'consent'
}
export const afterChoose = ({ pick, stage, to }: ButlerState) =>
  pick ? 'fill' : stage === 'choices' ? 'offer' : to === 'answer' ? 'answer' : 'reply'
export const afterFill = (state: ButlerState) => (state.questions.length > 0 ? 'ask' : 'propose')
export const afterAsk = (state: ButlerState) => (state.decision === 'no' ? 'answer' : 'understand')
// The offering may have been removed while its inputs were collected.
export const afterPropose = (state: ButlerState) => (state.proposal ? 'consent' : 'search')
export const afterConsent = ({ decision }: ButlerState) =>
  decision === 'yes' ? 'escrow' : decision === 'no' ? 'answer' : decision === 'lapsed' ? 'search' : 'understand'
export const afterEscrow = (state: ButlerState) => (state.jobId ? 'dispatch' : state.content ? 'reply' : 'search')
export const afterDispatch = (state: ButlerState) => (state.delivered ? 'evaluate' : 'report')
export const afterEvaluate = (state: ButlerState) => (state.verdict?.pass && !state.verdict.doubted ? 'settle' : 'revise')
export const afterRevise = (state: ButlerState) => (state.revised ? 'dispatch' : state.verdict?.pass ? 'settle' : 'refund')

/** The butler's graph, from a user's message to settled USDC. Five nodes pause: ask, offer, consent, dispatch and report. */
export const butler = (deps: ButlerDeps, checkpointer?: BaseCheckpointSaver) =>
  new StateGraph(State)
    .addNode('understand', understand(deps))
    .addNode('answer', answer(deps))
    .addNode('search', search(deps))
    .addNode('choose', choose(deps))
    .addNode('fill', fill(deps))
    .addNode('ask', ask)
    .addNode('offer', offer)
    .addNode('propose', propose(deps))
    .addNode('consent', consent(deps))
    .addNode('escrow', escrow(deps))
    .addNode('dispatch', dispatch)
    .addNode('evaluate', evaluate(deps))
    .addNode('settle', settle(deps))
    .addNode('revise', revise(deps))
    .addNode('refund', refund(deps))
    .addNode('report', report(deps))
    .addNode('reply', reply(deps))
    .addEdge(START, 'understand')
    .addConditionalEdges('understand', afterUnderstand, ['answer', 'search', 'fill', 'consent', 'reply'])
    .addConditionalEdges('answer', afterAnswer, ['ask', 'consent', 'reply'])
    .addEdge('search', 'choose')
    .addConditionalEdges('choose', afterChoose, ['fill', 'offer', 'answer', 'reply'])
    .addEdge('offer', 'understand')
    .addConditionalEdges('fill', afterFill, ['ask', 'propose'])
    .addConditionalEdges('ask', afterAsk, ['understand', 'answer'])
    .addConditionalEdges('propose', afterPropose, ['consent', 'search'])
    .addConditionalEdges('consent', afterConsent, ['escrow', 'understand', 'search', 'answer'])
    .addConditionalEdges('escrow', afterEscrow, ['dispatch', 'search', 'reply'])
    .addConditionalEdges('dispatch', afterDispatch, ['evaluate', 'report'])
    .addConditionalEdges('evaluate', afterEvaluate, ['settle', 'revise'])
    .addConditionalEdges('revise', afterRevise, ['dispatch', 'settle', 'refund'])
    .addEdge('settle', 'report')
    .addEdge('refund', 'report')
    .addEdge('report', 'reply')
    .addEdge('reply', END)
    .compile({ checkpointer, name: 'butler' })
