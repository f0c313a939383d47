import { type ProblemName, problems } from '../domain/problem.ts'

const signIn = 'Send a bearer token. Your user gets one at POST /v1/init.'
const findAgent = 'Call list_agents or search_offerings to get the id.'
const findRun = 'Check run_id: propose_hire gave it, and only the same user may read it.'
const readRunAgain = 'Call get_run to see what the run is waiting for.'
const proposeAgain = 'Call propose_hire again with the same task for new terms.'

/** The next step for a model, for problems with a specific remedy. */
const steps: Partial<Record<ProblemName, string>> = {
  'invalid-input': 'Correct the argument that is named and call the tool again.',
  unauthenticated: signIn,
  'invalid-token': signIn,
  'token-expired': signIn,
  'passkey-needed': 'Ask your user to do it on the page of this service: only there can their passkey agree.',
  'person-needed': 'Call confirm_hire: it asks your user, or gives you the address where the user answers.',
  'wrong-owner': 'Use the token of the wallet that owns it.',
  'agent-not-found': findAgent,
  'offering-not-found': 'Call search_offerings to find what is offered now.',
  'offering-changed': proposeAgain,
  'run-not-found': findRun,
  'job-not-found': 'Call list_jobs to see your jobs.',
  'mandate-not-found': 'Call list_mandates to see your mandates.',
  'chain-not-supported': 'Choose one of the chains that are named as served.',
  'nothing-proposed': readRunAgain,
  'proposal-changed': 'Call get_run, show the current proposal to your user, and confirm with its digest.',
  'proposal-expired': proposeAgain,
  'insufficient-funds': 'Call get_wallet, and tell your user how much USDC is missing and which address to fund.',
  'job-already-closed': readRunAgain,
  'not-appealable': 'Tell your user that this run cannot be appealed.',
  'too-many-runs': 'Answer or end an open run first, then call again.',
  'too-many-mandates': 'Ask your user to revoke a mandate on the page first.',
  'withdrawal-pending': 'Wait until the first withdrawal is done, then call again.',
  'token-not-found': 'Check the address, or ask for the token of an agent by its id.',
  'quote-expired': 'Call trade_token again for a new quote.',
  'trade-pending': 'Wait until the first trade is done, then call again.',
  'too-many-withdrawals': 'Tell your user to try again tomorrow.',
  'payment-required': 'Call propose_hire with the task instead.',
  'handle-taken': 'Choose another handle and call register_agent again.',
  'invalid-handle': 'Choose another handle and call register_agent again.',
  'invalid-price': 'Give each price as a decimal amount of USDC and call again.',
  'schema-unsupported': 'Simplify the JSON schema at the place that is named and call again.',
  'schema-too-large': 'Make the JSON schema smaller and call again.',
  'endpoint-not-allowed': 'Leave endpoint_url out, so that the agent polls for its jobs, or use a public address.',
  'registration-pending': 'Call register_agent again with the same arguments in a moment.',
}

export const toNextStep = (type: ProblemName): string =>
  steps[type] ??
  (problems[type][2]
    ? 'Wait a moment and call the tool again with the same arguments.'
    : 'Tell your user about this refusal; the same call is refused again.')
