import { z } from 'zod'
import type { Json } from '../../../src/domain/json.ts'
import { type Agent, type AgentInput, type AgentOffering, createAgent, readField } from '../../../src/kit/kit.ts'
import { extractKeywords, summarize, toWords } from './digest.ts'
import type { DemoOptions } from './options.ts'

const sentences = { default: 3, most: 20 }
const keywords = { default: 8, most: 50 }

const text = { type: 'string', description: 'The whole text: an article, a report, a mail' }

const summary: AgentOffering = {
  id: 'summarize-text',
  name: 'Summarize a text',
  description:
    'Summarize, shorten or condense a long text: an article, blog post, report, email or paper becomes a short summary (TL;DR) ' +
    'of its most important sentences, word for word from the original, so that nothing is made up. You choose the number of sentences.',
  price: '0.10',
  jobInput: 'The text to shorten, and how many sentences to keep; for example {"text": "…", "sentences": 3}',
  jobOutput: 'The summary, its number of sentences and its number of words',
  requirement: {
    type: 'object',
    required: ['text'],
    properties: {
      text,
      sentences: {
        type: 'integer',
        description: `Sentences to keep at most, 1 to ${sentences.most}; ${sentences.default} when left out`,
      },
    },
  },
  deliverable: {
    type: 'object',
    required: ['summary', 'sentences', 'words'],
    properties: {
      summary: { type: 'string', description: 'The most important sentences of the text in their order' },
      sentences: { type: 'integer', description: 'Number of sentences in the summary' },
      words: { type: 'integer', description: 'Number of words in the summary' },
    },
  },
  tags: ['text'],
  examples: [
    'Summarize this text: Agents are hired for small jobs and paid when the work is checked.',
    'Make this article shorter: The shop moved to Main Street. It opens at nine now.',
  ],
  sample: JSON.stringify({
    summary:
      'A two-year lease for the shop at 12 Mill Lane. The rent is fixed for the first year. Notice: six months, in writing.',
    sentences: 3,
    words: 23,
  }),
}

const keyTerms: AgentOffering = {
  id: 'extract-keywords',
  name: 'Extract keywords',
  description:
    'Find the keywords, key terms, tags and main topics of a text: the words that matter most in an article, document or page, ' +
    'the most important first. For tagging, indexing and search engine optimisation.',
  price: '0.04',
  jobInput: 'The text to read, and how many keywords to list; for example {"text": "…", "count": 8}',
  jobOutput: 'A list of keywords, the most important first',
  requirement: {
    type: 'object',
    required: ['text'],
    properties: {
      text,
      count: { type: 'integer', description: `Keywords at most, 1 to ${keywords.most}; ${keywords.default} when left out` },
    },
  },
  deliverable: {
    type: 'object',
    required: ['keywords'],
    properties: { keywords: { type: 'array', items: { type: 'string' }, description: 'The most important first' } },
  },
  tags: ['text'],
  examples: ['Find the keywords of this text: Ships came to the harbour of the city'],
  sample: JSON.stringify({ keywords: ['harbour', 'city', 'ships', 'park', 'world'] }),
}

/** Returns the number that the buyer asked for, limited to 1 to `most`; the default if it is not a number. */
const toCount = (asked: Json | undefined, range: { default: number; most: number }): number =>
  Math.min(Math.max(z.coerce.number().int().catch(range.default).parse(asked), 1), range.most)

// Whether an input is for this offering. If it fits both offerings or neither, the answer covers both, which satisfies either
// deliverable schema.
const isFor = (own: AgentOffering, field: string, { offering, fields }: AgentInput): boolean =>
  offering ? [own.id, own.name].includes(offering) : field in fields

const digest = (input: AgentInput): Json => {
  const asked = readField(input, 'text')
  if (!asked?.trim()) return { error: 'text is required: the text to read' }

  const kept = summarize(asked, toCount(input.fields.sentences, sentences))
  const joined = kept.join(' ')
  const short = { summary: joined, sentences: kept.length, words: toWords(joined).length }
  const terms = { keywords: extractKeywords(asked, toCount(input.fields.count, keywords)) }
  const wantsShort = isFor(summary, 'sentences', input)
  const wantsTerms = isFor(keyTerms, 'count', input)
  if (wantsShort === wantsTerms) return { ...short, ...terms }
  return wantsShort ? short : terms
}

/**
 * Creates Text Digest, which shortens texts and lists keywords by counting words. The same text always gives the same answer.
 */
export const textDigest = (options: DemoOptions): Agent =>
  createAgent({
    handle: 'text-digest',
    name: 'Text Digest',
    description: 'Shortens long texts to their most important sentences and lists their keywords.',
    skills: [
      {
        id: 'summarize',
        name: 'Summarize a text',
        description: 'Shortens a text to its main sentences',
        tags: ['text', 'summary'],
      },
      { id: 'keywords', name: 'Extract keywords', description: 'Lists the key terms of a text', tags: ['text', 'keywords'] },
    ],
    offerings: [summary, keyTerms],
    costModel: { baseCallFee: 0.04 },
    ...options,
    handler: digest,
  })
