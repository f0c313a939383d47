// The tools of the model that reads a turn. They belong to the fixed beginning of each request, which providers cache. A
// property is described where it stands first; the rules say that it means the same everywhere.

const text = { type: 'string' }
const whole = { type: 'integer' }
const object = { type: 'object', additionalProperties: true }
const pairs = (...names: string[]) => ({
  type: 'array',
  items: { type: 'object', properties: Object.fromEntries(names.map(it => [it, text])), required: names },
})

/** What a hire is made of. */
const hire = {
  candidates: { type: 'array', items: whole },
  task: text,
  input: object,
  inferred: pairs('field', 'from'),
  limits: object,
  wishes: { type: 'array', items: text },
}
const described = {
  candidates: { ...hire.candidates, description: 'Numbers of shown candidates: the one to hire; several to let the user pick' },
  task: { ...text, description: 'The part of the newest message that is this task, copied word for word' },
  input: { ...object, description: 'Values by the name of the input, only inputs of the form' },
  inferred: { ...hire.inferred, description: 'Values that do not stand in the messages, with the words that they follow from' },
  limits: {
    type: 'object',
    description: 'Only what the user stated',
    properties: {
      max_price: { ...text, description: 'The most to pay, decimal USDC' },
      within: { ...text, description: 'The words that say by when' },
      agent: { ...text, description: 'The agent that is named' },
      category: text,
    },
  },
  wishes: { ...hire.wishes, description: 'How the result has to be, copied word for word, where no input takes it' },
}

const toTool = (description: string, properties: Record<string, object>, required: string[] = []) => ({
  description,
  parameters: { type: 'object', properties: { language: text, ...properties }, required: ['language', ...required] },
})

const sources = [
  ...['open', 'result', 'balance', 'spending', 'jobs', 'mandates', 'withdraw', 'capabilities', 'how-it-works'],
  ...['greeting', 'thanks', 'harm', 'pay', 'nothing-fits'],
]

export const turnTools = {
  propose_hire: toTool(
    'A new task, or a pick of a shown offering: hires the candidate that does exactly what is asked. One call for each task.',
    described,
    ['candidates', 'task', 'input'],
  ),
  search_offerings: toTool(
    'A new task for which no candidate is right: searches again.',
    {
      query: { ...text, description: 'The task in one English sentence, without price, time, agent and values' },
      task: text,
      limits: object,
    },
    ['query'],
  ),
  ask_user: toTool(
    'A new task that misses required inputs, or that several candidates do in different ways. Give the inputs that are known.',
    {
      ...hire,
      fields: { ...pairs('name', 'words'), description: 'Missing inputs, each with a question in the language of the user' },
    },
    ['candidates', 'task'],
  ),
  change_proposal: toTool(
    'Answers the open question, or changes what is open or was done last. Only the inputs and limits that the message sets.',
    { input: object, inferred: hire.inferred, limits: object, wishes: hire.wishes },
    ['input'],
  ),
  job_status: toTool('How a job under way stands.', { job: whole }),
  cancel: toTool('Stops a job under way.', { job: whole }),
  refund: toTool('Asks for the money of a job back.', { job: whole }),
  appeal: toTool('Objects to the result of an ended job.', { job: whole }),
  note_to_agent: toTool('A message for the agent of a job under way.', { job: whole }),
  read_deliverable: toTool('Shows you the deliverable of an ended job, to answer a question about it.', { job: whole }, ['job']),
  market_facts: toTool(
    'A question about offerings of the market: which there are, the cheapest, the best rated, what something costs.',
    { candidates: hire.candidates, query: text, source: { ...text, enum: ['price', 'offerings'] } },
    ['query', 'source'],
  ),
  agree_or_decline: toTool('Agrees to what is open, or declines it.', { source: { ...text, enum: ['agrees', 'declines'] } }),
  answer: toTool(
    'Anything else. The service adds the facts; your text before the call is said first.',
    {
      source: {
        ...text,
        enum: sources,
        description:
          'What it is about: what is open, the last result, the wallet, what was spent … harm: somebody is to be harmed; pay: an address is to be called and paid; nothing-fits: no candidate does the task.',
      },
    },
    ['source'],
  ),
}
