import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { sha256 } from '../domain/json.ts'
import type { Settings } from '../operations/operation.ts'

const source = new URL('../web/', import.meta.url)

/** Allows only this service's own scripts and styles, nothing inline and no framing, because the page holds an access token. */
export const contentSecurityPolicy =
  "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'"

type Asset = { path: string; type: string; bytes: Buffer; gzipped: Buffer }
type Page = { assets: Map<string, Asset>; shell: Asset }

/** Serves the web page at `/` and below `/app/`, where no API route is. The page reads its data through the public API. */
export const servePage = (app: OpenAPIHono, { local }: Pick<Settings, 'local'>): void => {
  let made: Promise<Page> | undefined
  const page = () => {
    made ??= makePage(local).catch(error => {
      made = undefined
      throw error
    })
    return made
  }
  const shell = async (c: Context) => {
    const { shell } = await page()
    const etag = `"${shell.path}"`
    const headers = { 'content-security-policy': contentSecurityPolicy, 'cache-control': 'no-cache', etag }
    return c.req.header('if-none-match') === etag ? c.body(null, 304, headers) : send(c, shell, headers)
  }
  app.get('/', shell)
  app.get('/app/*', shell)
  app.get('/assets/:name', async c => {
    const asset = (await page()).assets.get(c.req.path)
    return asset ? send(c, asset, { 'cache-control': 'public, max-age=31536000, immutable' }) : c.notFound()
  })
}

const send = (c: Context, { type, bytes, gzipped }: Asset, headers: Record<string, string>) => {
  const zips = /\bgzip\b/.test(c.req.header('accept-encoding') ?? '')
  const body = new Uint8Array(zips ? gzipped : bytes)
  return c.body(body, 200, {
    ...headers,
    'content-type': type,
    vary: 'accept-encoding',
    ...(zips && { 'content-encoding': 'gzip' }),
  })
}

const toAsset = (name: string, type: string, text: string): Asset => {
  const bytes = Buffer.from(text)
  const path = `/assets/${name.replace('.', `-${sha256(text).slice(0, 12)}.`)}`
  return { path, type: `${type}; charset=utf-8`, bytes, gzipped: gzipSync(bytes, { level: 9 }) }
}

/**
 * Bundles the page at its first request. No build output is kept in the repository, and a service without visitors builds
 * nothing. The npm package contains the script as a file.
 */
const makePage = async (local: boolean): Promise<Page> => {
  const built = readFile(new URL('page.js', source), 'utf8').catch(() => bundle())
  const [script, style] = await Promise.all([built, readFile(new URL('page.css', source), 'utf8')])
  const assets = [toAsset('page.js', 'text/javascript', script), toAsset('page.css', 'text/css', style)]
  const paths = assets.map(it => it.path)
  return { assets: new Map(assets.map(it => [it.path, it])), shell: toAsset('shell.html', 'text/html', shellText(paths, local)) }
}

/** Bundles `src/web` into one minified browser script. Rejects with the bundler's error. */
export const bundle = async (): Promise<string> => {
  const { rolldown } = await import('rolldown')
  const bundler = await rolldown({
    input: new URL('main.tsx', source).pathname,
    tsconfig: new URL('tsconfig.json', source).pathname,
    transform: { target: 'es2022' },
  })
  const { output } = await bundler.generate({ format: 'es', minify: true })
  await bundler.close()
  return output[0].code
}

const shellText = ([script, style]: string[], local: boolean) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>Agent marketplace</title>
<link rel="stylesheet" href="${style}">
<script type="module" src="${script}"></script>
</head>
<body data-local="${local}"><div id="page"></div><noscript>This page needs JavaScript. The API reference is at <a href="/reference">/reference</a>.</noscript></body>
</html>
`
