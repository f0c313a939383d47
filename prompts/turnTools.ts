// The tools of the model that reads a turn. They belong to the fixed beginning of each request, which providers cache. A
// property is described where it stands first; the rules say that it means the same everywhere.

const text = { type: 'string' }
const whole = { type: 'integer' }
const wholes = { type: 'array', items: whole }
const object = { type: 'object' }
const texts = { type: 'array', items: text }
const choice = (...values: string[]) => ({ ...text, enum: values })

/** What a hire is made of. */
const hire = {
  candidates: {
    ...wholes,
    description: 'Numbers of candidates: the one to hire; several to let the user pick',
  },
  task: { ...text, description: 'The part of the newest message that is this task, copied word for word' },
  input: { ...object, description: 'Values by the name of the input, only inputs of the form' },
  inferred: { ...object, description: 'For values that do not stand in the messages, by name: the words that they follow from' },
  limits: {
    ...object,
    description: 'Only what the user stated',
    properties: {
      max_price: { ...text, description: 'The most to pay, decimal USDC' },
      within: { ...text, description: 'The words that say by when' },
      agent: { ...text, description: 'The agent that is named' },
      category: text,
    },
  },
  wishes: { ...texts, description: 'How the result has to be, copied word for word, where no input takes it' },
  ask: {
    ...object,
    description:
      'Each required input that is not known, by name, with one question for it, without figures. All are asked at once',
  },
}

const toTool = (description: string, properties: Record<string, object> = {}, required: string[] = []) => ({
  description,
  parameters: { type: 'object', properties: { language: text, ...properties }, required: ['language', ...required] },
})

const sources = [
  ...['open', 'result', 'balance', 'spending', 'jobs', 'mandates', 'withdraw', 'capabilities', 'how-it-works'],
  ...['greeting', 'thanks', 'harm', 'pay', 'nothing-fits'],
]

export const turnTools = {
  propose_hire: toTool(
    'Hires for a new task, or takes a shown offering, also while inputs are missing. One call for each task.',
    hire,
    ['candidates', 'task', 'input'],
  ),
  search_offerings: toTool(
    'Searches again where no candidate is right. One call for each task.',
    {
      query: { ...text, description: 'The task in one English sentence, without price, time, agent and values' },
      task: text,
      limits: object,
    },
    ['query'],
  ),
  change_proposal: toTool(
    'Answers the open question, or changes what is open or was done last. Only what the message sets. One call for each step.',
    {
      step: { ...whole, description: 'Of an open plan' },
      leave_out: { type: 'boolean', description: 'Takes the step out of the plan' },
      ...{ input: object, inferred: object, limits: object, wishes: texts, ask: object },
    },
  ),
  job_status: toTool('How a job under way stands.'),
  cancel: toTool('Stops a job under way.'),
  refund: toTool('Asks for the money of a job back.'),
  appeal: toTool('Objects to the result of an ended job.'),
  note_to_agent: toTool('Wants the agent of a job under way to know something. Code says what is possible.'),
  read_deliverable: toTool('Shows you the deliverable of a job, to answer a question about it.', { job: whole }, ['job']),
  market_facts: toTool(
    'A question about offerings of the market: which there are, the cheapest, the best rated, what something costs.',
    { candidates: wholes, query: text, source: choice('price', 'offerings') },
    ['query', 'source'],
  ),
  agree_or_decline: toTool('Agrees to what is open, with the condition under limits or input; declines it; or decides later.', {
    source: choice('agrees', 'declines', 'later'),
    input: object,
    limits: object,
  }),
  answer: toTool(
    'Anything else. The service adds the facts; your text before the call is said first.',
    {
      source: {
        ...choice(...sources),
        description:
          'open: what is open; result: the last deliverable; harm: somebody is to be harmed; pay: an address is to be called and paid',
      },
      topic: {
        ...choice('who', 'record', 'input', 'cost', 'time', 'result', 'why', 'others'),
        description: 'What is asked about what is open',
      },
    },
    ['source'],
  ),
}
