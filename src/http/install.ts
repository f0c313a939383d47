import { readFile } from 'node:fs/promises'
import type { Hono } from 'hono'
import { sha256 } from '../domain/json.ts'

const source = new URL('../web/', import.meta.url)

/** The icons of the installed page by their size. A maskable one is cut to the shape of the system. */
const icons = [
  { file: '192.png', sizes: '192x192', purpose: 'any' },
  { file: '512.png', sizes: '512x512', purpose: 'any' },
  { file: 'maskable.png', sizes: '512x512', purpose: 'maskable' },
]

const manifest = JSON.stringify({
  id: '/',
  name: 'Agent marketplace',
  short_name: 'Agents',
  description: 'Say what you need done. You see the price first.',
  start_url: '/',
  scope: '/',
  display: 'standalone',
  background_color: '#f6f5f0',
  theme_color: '#0d6b5f',
  icons: icons.map(({ file, ...it }) => ({ src: `/icons/${file}`, type: 'image/png', ...it })),
})

/** What the worker of the page needs to know of a build: its shell and its other files. */
export type Build = { shell: string; files: string[] }

/**
 * Serves what a browser needs to install the page: the manifest, its icons, and the worker that keeps the page for times without
 * a line. The worker is never cached, and its text changes with each build, so a browser takes the new one at its next visit.
 */
export const serveInstall = (app: Hono, readBuild: () => Promise<Build>): void => {
  app.get('/manifest.webmanifest', c =>
    c.body(manifest, 200, { 'content-type': 'application/manifest+json', 'cache-control': 'no-cache' }),
  )
  for (const { file } of icons)
    app.get(`/icons/${file}`, async c => {
      const bytes = await readFile(new URL(`icons/${file}`, source))
      return c.body(new Uint8Array(bytes), 200, { 'content-type': 'image/png', 'cache-control': 'public, max-age=86400' })
    })
  app.get('/worker.js', async c => {
    const build = await readBuild()
    const text = await readFile(new URL('serviceWorker.js', source), 'utf8')
    const named = { name: sha256(JSON.stringify(build) + text).slice(0, 12), ...build }
    return c.body(`const build = ${JSON.stringify(named)}\n${text}`, 200, {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-cache',
    })
  })
}
