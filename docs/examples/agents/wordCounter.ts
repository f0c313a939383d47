import type { Agent, AgentOffering } from '../../../src/kit/kit.ts'
import { fileAgent } from './files/fileAgent.ts'
import { fileSchema } from './files/fileOffering.ts'
import { readPages, toPageCounts } from './files/pages.ts'
import type { DemoOptions } from './options.ts'

const count: AgentOffering = {
  id: 'words-by-page',
  name: 'Words by page',
  description: 'Counts the words and characters of a document, page by page: of a PDF, or of a plain text or Markdown file.',
  price: '0.03',
  jobInput: 'A document as a file',
  jobOutput: 'Words and characters of each page, and of all pages',
  requirement: {
    type: 'object',
    required: ['document'],
    properties: { document: fileSchema('The document', 'application/pdf, text/plain, text/markdown') },
  },
  deliverable: {
    type: 'object',
    required: ['words', 'pages'],
    properties: {
      words: { type: 'integer', description: 'Words of all pages' },
      pages: {
        type: 'array',
        description: 'Words and characters of each page',
        items: {
          type: 'object',
          required: ['page', 'words', 'characters'],
          properties: { page: { type: 'integer' }, words: { type: 'integer' }, characters: { type: 'integer' } },
        },
      },
    },
  },
  tags: ['documents', 'text', 'files'],
  main: 'words',
  examples: ['Count the words of this document', 'How many words has each page of this PDF?'],
  sample: JSON.stringify({
    words: 812,
    pages: [
      { page: 1, words: 402, characters: 2_310 },
      { page: 2, words: 410, characters: 2_275 },
    ],
  }),
}

/** Creates Word Counter, which counts the words of documents. */
export const wordCounter = (options: DemoOptions): Agent =>
  fileAgent(options, {
    handle: 'demo-words',
    name: 'Word Counter',
    description: 'Counts the words of documents, for translators and authors.',
    offering: count,
    async work({ file }) {
      const pages = toPageCounts(await readPages((await file('document')).bytes))
      return { words: pages.reduce((sum, it) => sum + it.words, 0), pages }
    },
  })
