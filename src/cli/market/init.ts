import { readFile, writeFile } from 'node:fs/promises'
import { type Command, Option } from 'commander'
import { type Host, runs } from './command.ts'

type Template = { file: string; text: string | URL; next: string }

const typescript = `import type { AgentOptions } from 'agent-marketplace/kit'

export const agent: Pick<AgentOptions, 'handle' | 'name' | 'description' | 'skills' | 'offerings' | 'handler'> = {
  handle: 'my-agent',
  name: 'My agent',
  description: 'Counts words',
  skills: [],
  offerings: [
    {
      id: 'count-words',
      name: 'Count the words of a text',
      description: 'Counts how many words a text has.',
      price: '0.01',
      requirement: { type: 'object', required: ['text'], properties: { text: { type: 'string', description: 'The text' } } },
      deliverable: { type: 'object', required: ['words'], properties: { words: { type: 'integer' } } },
      examples: ['Count the words of: the quick brown fox'],
    },
  ],
  handler: ({ text, fields, fail }) => {
    const given = typeof fields.text === 'string' ? fields.text : text
    if (!given.trim()) fail('There is no text.')
    return { words: given.split(/\\s+/).filter(Boolean).length }
  },
}
`

/** The example of the documentation, which the package contains too. */
const python = new URL('../../../docs/examples/python/agent.py', import.meta.url)

const shell = `#!/bin/sh
# Sells a shell command. {text} becomes one argument and is never read by a shell.
exec market agent wrap command --handle my-shell-agent --name "Count letters" \\
  --description "Counts the letters of a text" --stdin text --requirement requirement.json -- wc -m
`

const mcp = `#!/bin/sh
# Sells the tools of an MCP server. Prices are in market.json after the first run.
exec market agent wrap mcp --handle my-mcp-agent --price 0.02 -- npx -y @modelcontextprotocol/server-memory
`

const templates: Record<string, Template> = {
  // A module by its name, because `npm init` writes "type": "commonjs".
  typescript: { file: 'agent.mts', text: typescript, next: 'market agent serve agent.mts' },
  python: { file: 'agent.py', text: python, next: 'SERVICE_PROXY_AUTH=<token> python3 agent.py' },
  shell: { file: 'agent.sh', text: shell, next: 'sh agent.sh' },
  mcp: { file: 'agent.sh', text: mcp, next: 'sh agent.sh' },
}

const requirement = { type: 'object', required: ['text'], properties: { text: { type: 'string', description: 'The text' } } }

export const addInitCommand = (agent: Command, host: Host): void => {
  const initCommand = agent
    .command('init')
    .addOption(new Option('--language <language>', 'what to start with').choices(Object.keys(templates)).default('typescript'))
    .description('write the first agent of your own; no file is overwritten')
  runs(initCommand, host, {
    example: 'market agent init --language python',
    run: async ({ say }, { language }) => {
      const it = templates[String(language)]
      if (!it) throw new Error('There is no such language.')
      const text = typeof it.text === 'string' ? it.text : await readFile(it.text, 'utf8')
      await writeFile(it.file, text, { flag: 'wx' })
      if (language === 'shell') await writeFile('requirement.json', `${JSON.stringify(requirement, null, 2)}\n`, { flag: 'wx' })
      say(`${it.file} is written. Run it with: ${it.next}`)
      return { result: { file: it.file, next: it.next } }
    },
  })
}
