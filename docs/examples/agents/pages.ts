import { Marked } from 'marked'
import type { Json } from '../../../src/domain/json.ts'
import { type Agent, type AgentInput, type AgentOffering, createAgent, readField } from '../../../src/kit/kit.ts'
import type { DemoOptions } from './options.ts'

const page: AgentOffering = {
  id: 'printable-page',
  name: 'Printable page',
  description:
    'Turns notes in Markdown into a page with headings, lists and tables that opens in any browser and prints well (HTML file). ' +
    'For meeting notes, recipes, handouts and letters.',
  price: '0.08',
  jobInput: 'Notes in Markdown; for example {"markdown": "# Meeting notes\\n- Open on Mondays"}',
  jobOutput: 'The page as an HTML file',
  requirement: {
    type: 'object',
    required: ['markdown'],
    properties: {
      markdown: { type: 'string', description: 'The notes, in Markdown or plain text' },
      title: { type: 'string', description: 'What the page is called; its first heading when left out' },
    },
  },
  deliverable: {
    type: 'object',
    required: ['page', 'title', 'words'],
    properties: {
      page: { type: 'string', description: 'The page as HTML' },
      title: { type: 'string', description: 'What the page is called' },
      words: { type: 'integer', description: 'Number of words on it' },
    },
  },
  tags: ['text', 'documents'],
  examples: [
    'Make a printable page of these notes: # Meeting\n- Open on Mondays',
    'Turn this recipe into a page to print: # Soup\n- 2 onions\n- salt',
  ],
}

const escaped = (text: string) => text.replace(/[&<>"']/g, char => `&#${char.charCodeAt(0)};`)

// HTML in the notes stays text, and only web addresses become links, so that notes cannot run a script in a browser.
const reader = new Marked({
  gfm: true,
  renderer: {
    html: ({ text }) => escaped(text),
    image: ({ text }) => escaped(text),
    link({ href, tokens }) {
      const words = this.parser.parseInline(tokens)
      return /^https?:\/\//i.test(href) ? `<a href="${escaped(href)}">${words}</a>` : words
    },
  },
})

const style =
  'body{font:16px/1.6 Georgia,serif;max-width:42rem;margin:3rem auto;padding:0 1.25rem;color:#1f1c17}h1,h2,h3{line-height:1.2;font-family:system-ui,sans-serif}table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:.35em .7em}pre{background:#f1eee7;padding:1em;overflow:auto}blockquote{border-left:3px solid #a9d3ca;margin-left:0;padding-left:1em}@media print{body{margin:0}}'

const press = (input: AgentInput): Json => {
  const markdown = readField(input, 'markdown')?.trim()
  if (!markdown) return { error: 'markdown is required: the notes' }
  const named = typeof input.fields.title === 'string' ? input.fields.title.trim() : ''
  const title = (named || (/^#+ (.+)$/m.exec(markdown)?.[1] ?? 'Notes')).slice(0, 120)
  const body = reader.parse(markdown, { async: false })
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title><style>${style}</style></head><body>${body}</body></html>`
  return { page: html, title, words: markdown.split(/\s+/).length }
}

/** Creates Page Press, which turns notes into pages. */
export const pagePress = (options: DemoOptions): Agent =>
  createAgent({
    handle: 'demo-pages',
    name: 'Page Press',
    description: 'Makes notes in Markdown into pages that print well.',
    skills: [{ id: 'printable-page', name: 'Printable page', description: 'Sets notes as a page', tags: ['text', 'documents'] }],
    offerings: [
      {
        ...page,
        sample: '## Meeting notes\n20 November, 4 people\n\n**Decided**\n- Open on Mondays\n- New menu in January',
      },
    ],
    ...options,
    handler: press,
  })
