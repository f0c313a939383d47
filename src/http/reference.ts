import type { OpenAPIHono } from '@hono/zod-openapi'
import { html } from 'hono/html'
import { z } from 'zod'
import { isProblemName, Problem, problems } from '../domain/problem.ts'
import type { Settings } from '../operations/operation.ts'
import { answerProblem } from './problem.ts'
import { routes } from './routes.ts'

type Part = ReturnType<typeof html>

/** Nothing but words and one style of our own: it reads the same without a network. */
const contentSecurityPolicy = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const page = (title: string, body: Part) => html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<link rel="stylesheet" href="/authorize/page.css"></head>
<body><main><h1>${title}</h1>${body}</main></body>
</html>`

const problemRows = () =>
  Object.entries(problems).map(
    ([name, [status, title, retry]]) =>
      html`<tr id="${name}"><td><a href="#${name}">${name}</a></td><td>${status}</td><td>${title}</td><td>${retry ? 'yes' : 'no'}</td></tr>`,
  )

const problemPage = () =>
  page(
    'Problems',
    html`<p>Every refusal is <code>application/problem+json</code> (RFC 9457); <code>code</code> is one of these names.</p>
<table><thead><tr><th>name</th><th>status</th><th>what it says</th><th>try again</th></tr></thead><tbody>${problemRows()}</tbody></table>`,
  )

const schemaText = (schema: z.ZodType, io: 'input' | 'output') => {
  const { $schema: _dialect, ...written } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return JSON.stringify(written, undefined, 2)
}

const referencePage = () =>
  page(
    'Reference',
    html`<p>All routes, read off the table that the service runs on. For programs: <a href="/openapi.json">/openapi.json</a>. What can go
wrong: <a href="/problems">/problems</a>.</p>${routes.map(
      ({ method, path, operation, stream }) => html`<section><h2><code>${method.toUpperCase()} ${path}</code></h2>
<p>${operation.summary}${operation.caller === 'user' ? ' Needs a bearer token.' : ''}${stream ? ' Can be a stream of events.' : ''}</p>
<details><summary>input</summary><pre>${schemaText(operation.input, 'input')}</pre></details>
<details><summary>answer</summary><pre>${schemaText(operation.output, 'output')}</pre></details></section>`,
    )}`,
  )

/** Pages for people who write programs: the problems by name, and every route. */
export const serveReference = (app: OpenAPIHono, { publicUrl }: Pick<Settings, 'publicUrl'>): void => {
  const headers = { 'content-security-policy': contentSecurityPolicy }
  app.get('/reference', c => c.html(referencePage(), 200, headers))
  app.get('/problems', c => c.html(problemPage(), 200, headers))
  app.get('/problems/:name', c =>
    isProblemName(c.req.param('name')) ? c.html(problemPage(), 200, headers) : answerProblem(c, new Problem('not-found')),
  )
  // Where an MCP client learns who gives out tokens (RFC 9728).
  app.get('/.well-known/oauth-protected-resource/mcp', c =>
    c.json({
      resource: `${publicUrl}/mcp`,
      authorization_servers: [publicUrl],
      bearer_methods_supported: ['header'],
      resource_documentation: `${publicUrl}/reference`,
    }),
  )
}
