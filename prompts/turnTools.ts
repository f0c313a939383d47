// The tools of the model that reads a turn. They belong to the fixed beginning of each request, which providers cache. A
// property means the same in each tool, and is described where it stands first.

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
    description: 'The one to hire; several to let the user pick',
  },
  task: { ...text, description: 'Its part of the newest message, word for word' },
  input: { ...object, description: 'Values by name, only inputs of the form' },
  inferred: { ...object, description: 'By name, the words that a value follows from' },
  limits: {
    ...object,
    description: 'Only what the user says of the hire',
    properties: {
      max_price: { ...text, description: 'Decimal USDC' },
      within: { ...text, description: 'The words that say by when' },
      agent: text,
      category: text,
    },
  },
  wishes: { ...texts, description: 'How the result has to be, word for word, where no input takes it' },
  ask: {
    ...object,
    description: 'By name, a question without figures for each required input that is not known; all are asked at once',
  },
}

const toTool = (description: string, properties: Record<string, object> = {}, required: string[] = []) => ({
  description,
  parameters: { type: 'object', properties: { language: text, ...properties }, required: ['language', ...required] },
})

const sources = [
  ...['open', 'result', 'balance', 'spending', 'jobs', 'mandates', 'withdraw', 'capabilities', 'how-it-works'],
  ...['greeting', 'thanks', 'talk', 'harm', 'pay', 'nothing-fits'],
]

export const turnTools = {
  propose_hire: toTool(
    'For a new task or another offering, also while inputs are missing. It replaces an open proposal. One call for each task.',
    hire,
    ['candidates', 'task', 'input'],
  ),
  search_offerings: toTool(
    'Searches again where no candidate is right. One call for each task.',
    {
      query: { ...text, description: 'The task in one English sentence, without price, time, agent or values' },
      task: text,
      limits: object,
    },
    ['query'],
  ),
  change_proposal: toTool(
    'Answers the open question, changes what is open ("and for Oslo?"), or has the last offering done again with some values new. Only what the message sets; the rest stays. One call for each step.',
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
  note_to_agent: toTool('Tells the agent of a job under way something.'),
  read_deliverable: toTool('Shows you the deliverable of a job.', { job: whole }, ['job']),
  market_facts: toTool(
    'Asks about the market: which offerings there are, the cheapest, the best rated, what something costs.',
    { candidates: wholes, query: text, source: choice('price', 'offerings') },
    ['query', 'source'],
  ),
  agree_or_decline: toTool('Agrees to what is open, with the condition under limits or input; declines it; or decides later.', {
    source: choice('agrees', 'declines', 'later'),
    input: object,
    limits: object,
  }),
  answer: toTool(
    'Anything else. Your text is said first, then the facts of the service.',
    {
      source: {
        ...choice(...sources),
        description:
          'open: what is open; result: the last deliverable; talk: small talk or a question back, by your text alone; harm: somebody is to be harmed; pay: an address is to be called and paid',
      },
      topic: {
        ...choice('who', 'record', 'input', 'cost', 'time', 'result', 'why', 'others'),
        description: 'What is asked about what is open',
      },
    },
    ['source'],
  ),
}
