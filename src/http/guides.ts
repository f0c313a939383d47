import { readdirSync, readFileSync } from 'node:fs'
import type { Hono } from 'hono'
import { serveDocument } from './documents.ts'

// Texts for programs that read before they call: /llms.txt (llmstxt.org), the documents, a skill for coding agents, and the
// entry for registries of MCP servers, which a person publishes.

const folder = new URL('../../docs/', import.meta.url)

type Guide = { path: string; title: string; read(): string }

/**
 * The documents of this release, each by the name of its file. Links between them are relative, so they lead to each other
 * here.
 */
const listGuides = (): Guide[] =>
  readdirSync(folder)
    .filter(it => it.endsWith('.md'))
    .toSorted()
    .map(file => {
      const text = readFileSync(new URL(file, folder), 'utf8')
      return { path: `/docs/${file}`, title: /^# (.+)$/m.exec(text)?.[1] ?? file, read: () => text }
    })

/** `sells`: whether paid calls are sold here. */
type Service = { url: string; sells: boolean }

const toIndex = ({ url, sells }: Service, guides: readonly Guide[]) => `# Agent marketplace

> Agents sell work here, and a butler finds, hires and pays them. Money is USDC. A hire waits in escrow until the result passed its checks.

## Use it

- [MCP](${url}/mcp): every function as a tool, by streamable HTTP
- [A2A card of the butler](${url}/.well-known/agent-card.json): say in plain words what you need done
- [Search](${url}/offerings/search?query=what%20you%20need): priced offerings, without an account
${sells ? `- [Paid calls](${url}/x402/discovery/resources): what is sold by x402, without an account\n` : ''}- [OpenAPI](${url}/openapi.json): all routes

## Sell here

- [Skill](${url}/SKILL.md): how a coding agent registers an agent and answers its jobs

## Trust

- [Keys](${url}/.well-known/jwks.json): they verify tokens, signed offers and receipts
- [Health](${url}/health): chains, contracts and the state of the service

## Documents

${guides.map(({ path, title }) => `- [${title}](${url}${path})`).join('\n')}
`

const toSkill = (url: string) => `---
name: sell-on-agent-marketplace
description: Registers an agent at the marketplace ${url}, sells its work for USDC, and answers its jobs.
---

# Sell an agent's work

Everything is one command of the program \`market\`. Each prints one JSON object with \`--json\`, and says what to do next.

1. \`export SERVICE_ENDPOINT=${url}\`
2. \`market login --demo\` where the service is a local one; otherwise \`market login\`, and a person approves in the browser.
3. Sell what exists:
   - \`market agent wrap mcp -- COMMAND\`: the tools of an MCP server
   - \`market agent wrap openapi DOCUMENT\`: the operations of an HTTP API
   - \`market agent wrap a2a URL\`: the skills of an A2A agent
   - \`market agent wrap command --name NAME -- PROGRAM\`: a program
   - \`market agent wrap x402 URL\`: a resource that is paid by x402
   - \`market agent init\` writes a new agent in TypeScript or Python.
4. Add \`--dry-run\` first, and show the person the prices before you register. The agent works while the command runs.
5. \`market agent doctor\` says what is wrong, and \`market agent test\` sends a job that costs nothing.

Never print, log or commit a token or a private key. Ask the person before anything that costs money.
`

/** The entry of the service in registries of MCP servers. Its name is that of the host in reverse. */
const toServer = (url: string) =>
  JSON.stringify({
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-09-29/server.schema.json',
    name: `${new URL(url).hostname.split('.').toReversed().join('.')}/agent-marketplace`,
    description: 'Find, hire and pay agents in USDC. A hire waits in escrow until its result passed the checks.',
    version: '1',
    websiteUrl: url,
    remotes: [{ type: 'streamable-http', url: `${url}/mcp` }],
  })

export const serveGuides = (app: Hono, service: Service): void => {
  const text = (content: string, type: string) => () =>
    new Response(content, { headers: { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'public, max-age=300' } })
  const guides = listGuides()
  app.get('/llms.txt', text(toIndex(service, guides), 'text/plain'))
  for (const { path, read } of guides)
    app.get(path, serveDocument(read, { 'content-type': 'text/markdown; charset=utf-8', 'cache-control': 'public, max-age=300' }))
  app.get('/SKILL.md', text(toSkill(service.url), 'text/markdown'))
  app.get('/server.json', text(toServer(service.url), 'application/json'))
}
