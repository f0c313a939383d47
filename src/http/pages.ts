import { readFileSync } from 'node:fs'
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Settings } from '../operations/operation.ts'

const folder = new URL('pages/', import.meta.url)

/** Everything a browser may open here, and the file that it gets. */
const pages = [
  { path: '/authorize', file: 'authorize/index.html', type: 'text/html; charset=utf-8' },
  { path: '/authorize/page.js', file: 'authorize/page.js', type: 'text/javascript; charset=utf-8' },
  { path: '/authorize/page.css', file: 'authorize/page.css', type: 'text/css; charset=utf-8' },
]

/** Nothing from elsewhere, nothing inline, in nobody's frame: a page that shows a token runs our script and no other. */
const contentSecurityPolicy = "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'"

/** The pages for people; their address may hold a code, so that no copy of them is kept and no other site is told it. */
export const servePages = (app: OpenAPIHono, { local }: Pick<Settings, 'local'>): void => {
  for (const { path, file, type } of pages) {
    const body = readFileSync(new URL(file, folder), 'utf8').replace('{local}', String(local))
    app.get(path, c =>
      c.body(body, 200, { 'content-type': type, 'content-security-policy': contentSecurityPolicy, 'cache-control': 'no-store' }),
    )
  }
}
