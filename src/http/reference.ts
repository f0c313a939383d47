import type { Hono } from 'hono'
import { html } from 'hono/html'
import { z } from 'zod'
import { isProblemName, Problem, problems } from '../domain/problem.ts'
import { serveDocument } from './documents.ts'
import { answerProblem } from './problem.ts'
import type { Route } from './route.ts'

type Part = ReturnType<typeof html>

/** Allows one style sheet and nothing else; the pages need no script and no external resource. */
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
      html`<tr id="${name}"><td><a href="#${name}">${name}</a></td>
<td>${status}</td><td>${title}</td><td>${retry ? 'yes' : 'no'}</td></tr>`,
  )

const problemPage = () =>
  page(
    'Problems',
    html`<p>Every error response is <code>application/problem+json</code> (RFC 9457).
Its <code>code</code> is one of these names.</p>
<p>What to do next: with <code>retry</code> yes, send the same request again, after <code>Retry-After</code> where it is given.
Otherwise change the request first. <code>detail</code> says what is wrong, and <code>pointer</code> names the member. 401: sign
in and send a token. 402: add USDC to the wallet, or pay as <code>accepts</code> says. 404: check the id. 409: read the record
again, then decide. 422: correct the member. Every route and its members: <a href="/reference">/reference</a>.</p>
<table><thead><tr><th>name</th><th>status</th><th>title</th><th>retry</th></tr></thead><tbody>${problemRows()}</tbody></table>`,
  )

const schemaText = (schema: z.ZodType, io: 'input' | 'output') => {
  const { $schema: _dialect, ...written } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return JSON.stringify(written, undefined, 2)
}

const referencePage = (routes: readonly Route[]) =>
  page(
    'Reference',
    html`<p>All routes of this service. As OpenAPI: <a href="/openapi.json">/openapi.json</a>. Problem types: <a
href="/problems">/problems</a>.</p>${routes.map(
      ({ method, path, operation, stream }) => html`<section><h2><code>${method.toUpperCase()} ${path}</code></h2>
<p>${operation.summary}${operation.caller === 'user' ? ' Needs a bearer token.' : ''}
${stream ? ' Can be an event stream.' : ''}</p>
<details><summary>input</summary><pre>${schemaText(operation.input, 'input')}</pre></details>
<details><summary>output</summary><pre>${schemaText(operation.output, 'output')}</pre></details></section>`,
    )}`,
  )

export const serveReference = (app: Hono, routes: readonly Route[]): void => {
  const headers = { 'content-security-policy': contentSecurityPolicy, 'content-type': 'text/html; charset=UTF-8' }
  app.get(
    '/reference',
    serveDocument(() => referencePage(routes).toString(), headers),
  )
  const problemList = serveDocument(() => problemPage().toString(), headers)
  app.get('/problems', problemList)
  app.get('/problems/:name', c =>
    isProblemName(c.req.param('name')) ? problemList(c) : answerProblem(c, new Problem('not-found')),
  )
}
