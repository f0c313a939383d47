import { expect, test } from 'vitest'
import { proposal } from '../../src/domain/runs/proposal.ts'
import { purchaseProposal } from '../../src/domain/runs/purchaseTerms.ts'
import type { RunRecord as Run } from '../../src/records/run.ts'
import { toTurns } from '../../src/web/chat/turns.ts'
import type { RunEvent } from '../../src/web/client/shapes.ts'
import { slipLabelsIn } from '../../src/web/proposal/otherSlipLabels.ts'

const termsOf = (digest: string) =>
  proposal.parse({
    ...{ chainId: 97, agentId: 'a', agentHandle: 'clock', offeringId: 'o', offeringName: 'Time', offeringVersion: 1 },
    ...{ input: '{}', price: '0.05', fee: '0', total: '0.05', slaMinutes: 1, agentName: 'Clock', youGet: [], judgedBy: [] },
    ...{ timeline: { deliveredBy: 0, refundedBy: 0 }, alternatives: [], reason: 'It fits.', tag: '', digest, lapsesAt: 0 },
  })
const shown = termsOf('aaaaaaaa')

type Said = Pick<RunEvent, 'type'> & Partial<Pick<RunEvent, 'data' | 'summary_text'>>
const logOf = (...said: Said[]): RunEvent[] =>
  said.map((it, index) => ({
    ...{ run_id: 'r', seq: index + 1, summary_text: it.type, data: {}, timestamp: '2031-01-01T00:00:00Z' },
    ...it,
  }))
const runAt = (state: Run['state'], more: Partial<Run> = {}): Run => ({
  ...{ run_id: 'r', conversation_id: 'c', chain_id: 97, task: 'Time?', state, content: '', created_at: '2031-01-01T00:00:00Z' },
  ...more,
})
const task: Said = { type: 'message', summary_text: 'Time?' }
const offered: Said = { type: 'proposed', data: { proposal: shown } }
const asks: Said = { type: 'message', summary_text: 'Why so expensive?' }
const reply: Said = { type: 'answer', summary_text: 'Its agent set the price.' }
const waiting = runAt('awaiting-confirmation', { proposal: shown })

test('a question about a proposal is answered and leaves the proposal open', () => {
  const turns = toTurns(logOf(task, offered, asks, reply), waiting)
  expect(turns).toMatchObject([
    { kind: 'user' },
    { kind: 'proposal', isOpen: true, isReady: true, answer: undefined },
    { kind: 'user', text: 'Why so expensive?' },
    { kind: 'agent', text: 'Its agent set the price.' },
  ])
})

test('the words of a model are shown while it writes, and give way to the answer that repeats them', () => {
  const words = ['Somebody tells the time.', 'Shall we look?'].map((summary_text): Said => ({ type: 'words', summary_text }))
  expect(toTurns(logOf(task, ...words), runAt('working'))).toMatchObject([
    { kind: 'user' },
    { kind: 'agent', text: 'Somebody tells the time. Shall we look?' },
  ])
  expect(toTurns(logOf(task, ...words, offered), waiting).map(it => it.kind)).toEqual(['user', 'proposal'])
  expect(toTurns(logOf(task, ...words, reply), runAt('completed')).map(it => it.kind)).toEqual(['user', 'agent'])
})

test('a slip has its labels in the language of the conversation, with the amount and the words left out in them', () => {
  const [, turn] = toTurns(logOf(task, { type: 'proposed', data: { proposal: shown, language: 'es' } }), waiting)
  expect(turn).toMatchObject({ kind: 'proposal', language: 'es' })
  for (const language of ['de', 'es', 'fr', 'pt', 'it', 'tr', 'zh', 'ja', 'ru']) {
    const { approveAnyway: _, ...labels } = slipLabelsIn(language)
    expect([language, Object.values(labels).every(it => it !== '')]).toEqual([language, true])
    expect([labels.approve.includes('{sum}'), labels.leftOut.includes('{text}')]).toEqual([true, true])
    expect(labels.youGet).not.toBe(slipLabelsIn('').youGet)
  }
  expect(slipLabelsIn('constructor')).toEqual(slipLabelsIn(''))
})

test('terms proposed again with the same digest are one card, the newest', () => {
  const turns = toTurns(logOf(task, offered, asks, { type: 'searched' }, offered), waiting)
  expect(turns.map(it => it.kind)).toEqual(['user', 'user', 'steps', 'proposal'])
  expect(turns.at(-1)).toMatchObject({ isOpen: true, isReady: true })
})

test('a no stands once, typed or by the button', () => {
  const noted: Said = { type: 'declined', summary_text: 'no' }
  const left: Said = { type: 'answer', summary_text: 'Nothing was hired.' }
  const typed = toTurns(logOf(task, offered, { type: 'message', summary_text: 'no' }, noted, left), runAt('completed'))
  const pressed = toTurns(logOf(task, offered, { ...noted, data: { role: 'user' } }, noted, left), runAt('completed'))
  for (const turns of [typed, pressed])
    expect(turns).toMatchObject([
      { kind: 'user' },
      { kind: 'proposal', isOpen: false, answer: 'declined' },
      { kind: 'user', text: 'no' },
      { kind: 'agent' },
    ])
})

test('terms that are proposed again say why', () => {
  const notice = 'I found nothing cheaper for that, so this is still what I propose.'
  const again: Said = { type: 'proposed', data: { proposal: shown, notice } }
  const turns = toTurns(logOf(task, offered, { type: 'message', summary_text: 'cheaper please' }, again), waiting)
  expect(turns.at(-1)).toMatchObject({ kind: 'proposal', notice, isOpen: true })
})

test('newer terms close the proposal before them', () => {
  const newer = termsOf('bbbbbbbb')
  const run = runAt('awaiting-confirmation', { proposal: newer })
  const turns = toTurns(logOf(task, offered, asks, { type: 'proposed', data: { proposal: newer } }), run)
  expect(turns).toMatchObject([{}, { isOpen: false, answer: 'changed' }, {}, { isOpen: true, answer: undefined }])
})

test('a proposal that the run no longer waits for is closed, answered or not', () => {
  const turns = toTurns(logOf(task, offered, asks, reply), runAt('completed'))
  expect(turns[1]).toMatchObject({ kind: 'proposal', isOpen: false })
})

test('every answer of a run is shown, and only the last one of a hire waits for the result', () => {
  const ended: Said = { type: 'answer', summary_text: 'Done.' }
  const turns = toTurns(logOf(task, offered, reply, { type: 'job.open' }, ended), runAt('working'))
  expect(turns.filter(it => it.kind === 'agent' || it.kind === 'result')).toEqual([
    { seq: 3, kind: 'agent', text: 'Its agent set the price.' },
    { seq: 5, kind: 'result', text: 'Done.' },
  ])
})

test('a run that failed without a message in its log shows its answer', () => {
  const run = runAt('failed', { content: 'The language model does not answer.' })
  expect(toTurns(logOf(task), run).at(-1)).toMatchObject({ kind: 'agent', text: 'The language model does not answer.' })
  expect(toTurns(logOf(task, { type: 'answer', summary_text: 'Said.' }), run).map(it => it.kind)).toEqual(['user', 'agent'])
})

test('choices can be picked while the run waits for the choice', () => {
  const choices = [{ agent_handle: 'clock', agent_id: 'a', offering_id: 'o', name: 'Time', price: '0.05' }]
  expect(toTurns(logOf(task), runAt('awaiting-input', { choices })).at(-1)).toMatchObject({ kind: 'choices', choices })
  expect(toTurns(logOf(task), runAt('working', { choices })).map(it => it.kind)).toEqual(['user'])
})

test('a purchase is a proposal that a yes closes, and its last answer waits for the result', () => {
  const purchase = purchaseProposal.parse({
    ...{ kind: 'purchase', chainId: 97, url: 'https://api.example.com/weather', method: 'GET', total: '0.02', payee: '0x1' },
    ...{ asset: '0x2', payer: '0x3', description: '', mandate: null, digest: 'cccccccc', lapsesAt: 0 },
  })
  const priced: Said = { type: 'proposed', data: { purchase } }
  const open = toTurns(logOf(task, priced, asks, reply), runAt('awaiting-confirmation', { purchase }))
  expect(open[1]).toMatchObject({ kind: 'proposal', terms: purchase, isOpen: true, isReady: true })
  const paid: Said[] = [{ type: 'confirmed', data: { payee: '0x1' } }, { type: 'payment.settled' }, { type: 'answer' }]
  const turns = toTurns(logOf(task, priced, ...paid), runAt('completed'))
  expect(turns.map(it => it.kind)).toEqual(['user', 'proposal', 'steps', 'result'])
  expect(turns[1]).toMatchObject({ isOpen: false, answer: 'hired' })
})
