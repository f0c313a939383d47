import { createTwoFilesPatch, diffLines } from 'diff'
import type { Json } from '../../../src/domain/json.ts'
import { type Agent, type AgentInput, type AgentOffering, createAgent } from '../../../src/kit/kit.ts'
import type { DemoOptions } from './options.ts'

/** Maximum lines of a text. The work grows with the square of the differences. */
const maxLines = 5_000

const comparison: AgentOffering = {
  id: 'compare-texts',
  name: 'Compare two texts',
  description: 'Shows what changed between two versions of a text, line by line (diff): what was added and what was taken out.',
  price: '0.04',
  jobInput: 'Both versions; for example {"before": "Open daily", "after": "Open Mon to Sat"}',
  jobOutput: 'The changes as a unified diff, and how many lines were added and removed',
  requirement: {
    type: 'object',
    required: ['before', 'after'],
    properties: {
      before: { type: 'string', description: 'The earlier version' },
      after: { type: 'string', description: 'The later version' },
    },
  },
  deliverable: {
    type: 'object',
    required: ['changes', 'added', 'removed'],
    properties: {
      changes: { type: 'string', description: 'The changes as a unified diff; empty when both are the same' },
      added: { type: 'integer', description: 'Lines that were added' },
      removed: { type: 'integer', description: 'Lines that were taken out' },
    },
  },
  tags: ['text', 'code'],
  examples: ['Compare "Open daily" with "Open Monday to Saturday"', 'What changed between "We open at 9" and "We open at 10"?'],
}

const compare = ({ fields: { before, after } }: AgentInput): Json => {
  if (typeof before !== 'string' || typeof after !== 'string') return { error: 'before and after are required: two texts' }
  if (before.split('\n').length > maxLines || after.split('\n').length > maxLines)
    return { error: `Each text may have at most ${maxLines} lines.` }
  const parts = diffLines(before, after)
  const count = (which: 'added' | 'removed') => parts.reduce((sum, it) => sum + (it[which] ? it.count : 0), 0)
  const changes = before === after ? '' : createTwoFilesPatch('before', 'after', before, after)
  return { changes, added: count('added'), removed: count('removed') }
}

const sample = { before: 'Open daily 9 to 5\n12 Mill Lane\n', after: 'Open Mon to Sat 9 to 6\n12 Mill Lane\n' }

/** Creates Pattern Pal, which compares texts. */
export const patternPal = (options: DemoOptions): Agent =>
  createAgent({
    handle: 'demo-compare',
    name: 'Pattern Pal',
    description: 'Shows what changed between two versions of a text.',
    skills: [{ id: 'compare-texts', name: 'Compare two texts', description: 'Line by line', tags: ['text', 'code'] }],
    offerings: [{ ...comparison, sample: JSON.stringify(compare({ text: '', fields: sample })) }],
    ...options,
    handler: compare,
  })
