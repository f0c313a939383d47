import type { Agent, AgentOffering } from '../../../src/kit/kit.ts'
import { fileAgent } from './files/fileAgent.ts'
import { fileSchema, toFileName } from './files/fileOffering.ts'
import { countWords } from './files/pages.ts'
import { readPdfPages } from './files/pdfPages.ts'
import type { DemoOptions } from './options.ts'

const text: AgentOffering = {
  id: 'pdf-text',
  name: 'Text of a PDF',
  description: 'Takes the text out of a PDF document, page by page, as a text file that can be searched, copied and edited.',
  price: '0.05',
  jobInput: 'A PDF as a file',
  jobOutput: 'Its text as a file',
  requirement: {
    type: 'object',
    required: ['document'],
    properties: { document: fileSchema('The PDF', 'application/pdf') },
  },
  deliverable: {
    type: 'object',
    required: ['text', 'pages', 'words'],
    properties: {
      text: fileSchema('The text', 'text/plain'),
      pages: { type: 'integer', description: 'Number of pages' },
      words: { type: 'integer', description: 'Number of words' },
      note: { type: 'string', description: 'What could not be read' },
    },
  },
  tags: ['documents', 'text', 'files'],
  examples: ['Extract the text of this PDF', 'Convert this PDF to plain text', 'What does this PDF say?'],
  sample: '**Page 1**\n\nMinutes of the meeting of 20 November\n\n**Page 2**\n\nDecided: open on Mondays.',
}

/** Creates Page Reader, which reads PDFs. */
export const pdfText = (options: DemoOptions): Agent =>
  fileAgent(options, {
    handle: 'demo-pdf',
    name: 'Page Reader',
    description: 'Takes the text out of PDF documents.',
    offering: text,
    async work({ file, give }) {
      const { bytes, name } = await file('document')
      const pages = await readPdfPages(bytes)
      const whole = pages.map((it, at) => `Page ${at + 1}\n\n${it.trim()}\n`).join('\n')
      const blank = pages.filter(it => it.trim() === '').length
      return {
        text: await give(new TextEncoder().encode(whole), toFileName(name, 'txt')),
        pages: pages.length,
        words: countWords(pages.join('\n')),
        ...(blank > 0 && { note: `${blank} of ${pages.length} pages have no text. They may be pictures of paper.` }),
      }
    },
  })
