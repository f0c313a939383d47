// The tools of the model that reads a turn. They belong to the fixed beginning of each request, which providers cache.

const language = { type: 'string', description: 'ISO 639 code of the language of the newest message' }
const candidates = {
  type: 'array',
  items: { type: 'integer' },
  description: 'Numbers of shown candidates. The one to hire; several to let the user pick.',
}
const input = {
  type: 'object',
  description: 'Values by the name of the input. Only inputs of the form.',
  additionalProperties: true,
}
const limits = {
  type: 'object',
  description: 'Only what the user stated',
  properties: {
    max_price: { type: 'string', description: 'The most to pay, a plain decimal number of USDC' },
    within: { type: 'string', description: 'The words that say by when it must be done' },
    agent: { type: 'string', description: 'Handle or id of the agent that is named' },
    category: { type: 'string', description: 'The category, if the message calls it one' },
  },
}
const inferred = {
  type: 'array',
  description: 'Values that you concluded and that do not stand in the messages, each with the words that it follows from',
  items: { type: 'object', properties: { field: { type: 'string' }, from: { type: 'string' } }, required: ['field', 'from'] },
}
const wishes = {
  type: 'array',
  items: { type: 'string' },
  description: 'How the result has to be (form, length, language), copied word for word, where no input takes it',
}
const task = { type: 'string', description: 'The part of the newest message that is this task, copied word for word' }
const fields = {
  type: 'array',
  description: 'The missing inputs, each with a question in the language of the user',
  items: { type: 'object', properties: { name: { type: 'string' }, words: { type: 'string' } }, required: ['name', 'words'] },
}
const query = { type: 'string', description: 'The task in one English sentence, without price, time, agent and values' }
const job = { type: 'integer', description: 'Number of a shown job' }
const source = {
  type: 'string',
  enum: [
    ...['open', 'result', 'balance', 'spending', 'jobs', 'mandates', 'withdraw', 'capabilities', 'how-it-works'],
    ...['greeting', 'thanks', 'harm', 'pay', 'nothing-fits'],
  ],
  description:
    'What the answer is about: what is open, the last result, the wallet, what was spent, the jobs, limits for hiring without asking, taking money out, what this market offers, how it works; a greeting, thanks; harm: the user wants somebody harmed; pay: an address is to be called and paid; nothing-fits: no candidate does the task.',
}

const toTool = (description: string, properties: Record<string, object>, required: string[] = []) => ({
  description,
  parameters: { type: 'object', properties: { language, ...properties }, required: ['language', ...required] },
})

export const turnTools = {
  propose_hire: toTool(
    'A new task, or a pick of a shown offering: proposes to hire the candidate that does exactly what is asked. One call for each task of the message.',
    { candidates, task, input, inferred, limits, wishes },
    ['candidates', 'task', 'input'],
  ),
  search_offerings: toTool(
    'A new task for which no candidate is right: searches again with your words.',
    { query, task, limits },
    ['query'],
  ),
  ask_user: toTool(
    'A new task that misses required inputs, or that several candidates do in different ways. Give the inputs that are known.',
    { candidates, task, input, inferred, limits, wishes, fields },
    ['candidates', 'task'],
  ),
  change_proposal: toTool(
    'Answers the open question, or changes what is open or was done last. Give only the inputs and limits that the message sets.',
    { input, inferred, limits, wishes },
    ['input'],
  ),
  job_status: toTool('How a job under way stands.', { job }),
  cancel: toTool('The user wants to stop a job under way.', { job }),
  refund: toTool('The user wants the money of a job back.', { job }),
  appeal: toTool('The user objects to the result of an ended job.', { job }),
  note_to_agent: toTool('A message for the agent of a job under way.', { job }),
  read_deliverable: toTool('Shows you the deliverable of an ended job, to answer a question about it.', { job }, ['job']),
  market_facts: toTool(
    'A question about offerings of the market: which there are, the cheapest, the best rated, what something costs.',
    { query, source: { type: 'string', enum: ['price', 'offerings'] } },
    ['query', 'source'],
  ),
  agree_or_decline: toTool('The user agrees to what is open, or declines it.', {
    source: { type: 'string', enum: ['agrees', 'declines'] },
  }),
  answer: toTool('Anything else. The service adds the facts; your text before the call is said first.', { source }, ['source']),
}
