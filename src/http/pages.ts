import { readFileSync } from 'node:fs'
import type { Hono } from 'hono'
import type { Deps } from '../operations/operation.ts'
import { bindPage, type OpenPage } from './openPage.ts'
import { servePage } from './page.ts'
import { contentSecurityPolicy } from './shell.ts'

const files = [
  { path: '/authorize', file: 'pages/authorize/index.html', type: 'text/html; charset=utf-8' },
  { path: '/authorize/page.js', file: 'pages/authorize/page.js', type: 'text/javascript; charset=utf-8' },
  { path: '/favicon.ico', file: '../web/icon.svg', type: 'image/svg+xml' },
]

/** Reads a file of a page and gives the headers that it is served with: this service's own scripts only, and never cached. */
export const readPageFile = (file: string, type: string) => ({
  body: readFileSync(new URL(file, import.meta.url), 'utf8'),
  headers: { 'content-type': type, 'content-security-policy': contentSecurityPolicy, 'cache-control': 'no-store' },
})

/**
 * Serves all web pages. The URL of the approval page contains an authorization code, so its responses are never cached and the
 * page sends no referrer.
 */
export const servePages = (app: Hono, deps: Deps, openPages: readonly OpenPage[]): void => {
  for (const { path, file, type } of files) {
    const { body, headers } = readPageFile(file, type)
    const shown = body.replace('{local}', String(deps.settings.local))
    app.get(path, c => c.body(shown, 200, headers))
  }
  servePage(app, deps, { openPages: openPages.map(it => bindPage(it, deps)) })
}
