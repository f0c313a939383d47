import { type Books, textOf } from '../books.ts'
import { canaries } from '../log.ts'
import type { World } from '../world.ts'

/** I10: a run's log is numbered 1 to n. Each fact is logged once, and once more after each time it was reverted. */
export const checkLogs = ({ books, log }: World): string[] => [
  ...books
    .all(
      'select id, last_seq, (select count(*) from run_event where run_id = run.id) as n, (select max(seq) from run_event where run_id = run.id) as top from run',
    )
    .filter(it => it.n !== it.last_seq || (it.top ?? 0) !== it.last_seq)
    .map(it => `I10 run ${it.id}: ${it.n} events up to ${it.top}, counted ${it.last_seq}`),
  ...books
    .all(
      `select run_id, kind, count(*) as n from run_event where kind in ('confirmed', 'job.open') group by run_id, kind having n > 1`,
    )
    .map(it => `I10 run ${it.run_id} tells ${it.kind} ${it.n} times`),
  ...books
    .all(`select run_id, count(*) as n, count(distinct json_extract(data, '$.transaction')) as hashes from run_event
      where kind = 'payment.settled' group by run_id having n > 1`)
    // After a reorganisation another transaction may have paid.
    .filter(it => log.reorgs === 0 || it.n !== it.hashes)
    .map(it => `I10 run ${it.run_id} tells payment.settled ${it.n} times`),
  ...books.all(answersTooOften).map(it => `I10 run ${it.run_id} tells answer ${it.n} times`),
  ...Object.entries(returns).flatMap(([kind, undoing]) =>
    books
      .all(
        `select run_id, sum(kind = ?) as n from run_event group by run_id
         having n > 1 + sum(kind = 'job.retracted' and json_extract(data, '$.event') = ?)`,
        kind,
        undoing,
      )
      .map(it => `I10 run ${it.run_id} tells ${kind} ${it.n} times`),
  ),
]

/** A run has one closing answer, and at most one answer to each later message of its user. */
export const answersTooOften = `select run_id, count(*) as n from run_event where kind = 'answer' group by run_id
  having n > 1 + (select count(*) from run_input where run_input.run_id = run_event.run_id)
    or sum(key is null or key not like 'answer:%') > 1`

/** Events that may be logged again after a reorganisation, with the move that reverts each. */
const returns: Record<string, string> = { 'job.escrowed': 'unfund', 'job.settled': 'unpay', 'job.refunded': 'unrefund' }

/** I8: one idempotency key of one user gives one run. */
export const checkKeys = ({ log }: World): string[] =>
  [...log.keyed].filter(([, runs]) => runs.size > 1).map(([key, runs]) => `I8 ${key} was answered with ${[...runs].join(', ')}`)

/**
 * I9: every transaction of our wallets was stored before it was sent. No nonce has two effects, and no effect two transactions.
 */
export const checkNonces = ({ books, ground }: World): string[] => {
  const known = new Map(books.all('select hash, intent_seq from chain_transaction').map(it => [textOf(it.hash), it.intent_seq]))
  const ours = new Set(
    books.all('select distinct sender from chain_transaction union select address from wallet').map(it => textOf(it.sender)),
  )
  const { blocks, foreign } = ground.chain
  const mined = blocks.flatMap(block => block.txs).filter(({ tx }) => ours.has(tx.sender) && !foreign.has(tx.hash))
  const unknown = mined.filter(({ tx }) => !known.has(tx.hash))
  const effects = Map.groupBy(mined, ({ tx }) => known.get(tx.hash))
  const twins = books.all(`select sender, nonce, count(distinct intent_seq) as n from chain_transaction where retired = 0
    group by sender, nonce having n > 1`)
  return [
    ...unknown.map(({ tx }) => `I9 ${tx.hash} of ${tx.sender} is on chain and not in our books`),
    ...[...effects]
      .filter(([seq, of]) => seq && of.length > 1)
      .map(([seq, of]) => `I9 intent ${seq} was mined ${of.length} times`),
    ...twins.map(it => `I9 ${it.n} intents have nonce ${it.nonce} of ${it.sender}`),
  ]
}

/** I9 when sending: the transaction is stored. */
export const isWritten = (books: Books, hash: string): boolean =>
  books.all('select 1 from chain_transaction where hash = ?', hash).length > 0

/** I12: a user's text stays with that user: it appears in no other prompt, log or error report. */
export const checkSecrets = ({ ground, log }: World): string[] => {
  const mixed = ground.prompts.splice(0).filter(it => new Set(it.match(canaries)).size > 1)
  const logged = ground.errors.filter(it => it.text.match(canaries) !== null)
  return [
    ...log.scandals,
    ...mixed.map(it => `I12 one prompt with the words of two: ${it.slice(0, 200)}`),
    ...logged.map(it => `I12 a secret in the log: ${it.text.slice(0, 200)}`),
  ]
}
