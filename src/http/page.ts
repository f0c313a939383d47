import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { gzipSync } from 'node:zlib'
import type { Context, Hono } from 'hono'
import { sha256 } from '../domain/json.ts'
import type { Deps } from '../operations/operation.ts'
import { firstStyle } from './firstStyle.ts'
import { serveInstall } from './install.ts'
import { type BoundPage, toHeadLines } from './openPage.ts'
import { type Chunks, drawDoor, pdfFiles, readScripts } from './pageScripts.ts'
import { ownTitle, toPolicy, writeShell } from './shell.ts'

const source = new URL('../web/', import.meta.url)

/** A link can be withdrawn at any time, so no cache keeps what it shows for long. */
const linkHeaders = { 'x-robots-tag': 'noindex, nofollow', 'cache-control': 'private, no-cache' }

/** Pages that are written for each request are compressed with little work. */
const fastest = 1

type Asset = { path: string; type: string; bytes: Buffer; gzipped: Buffer }
/** `scripts`: reads the scripts of the build; those of this release unless a test gives others. */
type PageParts = { openPages?: readonly BoundPage[]; scripts?: () => Promise<Chunks> }
type Settings = Deps['settings']
/** `policy`: the content security policy of both shells. `first` is sent to a browser that was never here. */
type Page = { assets: Map<string, Asset>; shell: Asset; first: Asset; style: Asset; policy: string }

/** Serves the web page at `/` and below `/app/`, where no API route is. The page reads its data through the public API. */
export const servePage = (
  app: Hono,
  deps: Pick<Deps, 'settings'>,
  { openPages = [], scripts = readScripts }: PageParts = {},
): void => {
  const { settings } = deps
  const { publicUrl } = settings
  let made: Promise<Page> | undefined
  const page = () => {
    made ??= makePage(settings, scripts).catch(error => {
      made = undefined
      throw error
    })
    return made
  }
  const shell = async (c: Context) => {
    const { shell, first, policy } = await page()
    const sent = isReturning(c) ? shell : first
    const etag = `"${sent.path}"`
    const headers = { 'content-security-policy': policy, 'cache-control': 'no-cache', etag }
    return c.req.header('if-none-match') === etag ? c.body(null, 304, headers) : send(c, sent, headers)
  }
  app.get('/', shell)
  // The approval page uses the same style sheet.
  app.get('/authorize/page.css', async c => {
    const { style } = await page()
    return send(c, style, { 'cache-control': 'no-cache' })
  })
  for (const open of openPages) {
    app.get(open.picture, async c => {
      const picture = await open.draw(c.req.param('id') ?? '')
      return picture ? c.body(picture, 200, { ...linkHeaders, 'content-type': 'image/png' }) : c.notFound()
    })
    app.get(open.path, async c => {
      const head = await open.readHead(c.req.param('id') ?? '')
      const { shell, policy } = await page()
      const url = publicUrl + c.req.path
      const lines = head ? toHeadLines(head, { url, picture: `${url}/preview.png` }) : ownTitle
      const text = shell.bytes.toString('utf8').replace(ownTitle, () => lines)
      const headers = { ...linkHeaders, 'content-security-policy': policy }
      const bytes = Buffer.from(text)
      const gzipped = gzipSync(bytes, { level: fastest })
      c.status(head ? 200 : 404)
      return send(c, { ...shell, bytes, gzipped }, headers)
    })
  }
  app.get('/app/*', shell)
  app.get('/assets/:name', async c => {
    const { assets, shell, policy } = await page()
    const asset = c.req.path === shell.path ? shell : assets.get(c.req.path)
    const headers = { 'cache-control': 'public, max-age=31536000, immutable' }
    // Without a line the browser shows the shell from here.
    return asset ? send(c, asset, { ...headers, ...(asset === shell && { 'content-security-policy': policy }) }) : c.notFound()
  })
  serveInstall(app, async () => {
    const { assets, shell } = await page()
    return { shell: shell.path, files: [...assets.keys()].filter(it => !it.startsWith(`/assets/${pdfFiles}`)) }
  })
}

/** Whether the page has noted that this browser keeps something of it: `client/returning.ts`. */
const isReturning = (c: Context): boolean => /(?:^|;\s*)returning=1(?:;|$)/.test(c.req.header('cookie') ?? '')

const send = (c: Context, { type, bytes, gzipped }: Asset, headers: Record<string, string>) => {
  const zips = /\bgzip\b/.test(c.req.header('accept-encoding') ?? '')
  const encoding = zips && { 'content-encoding': 'gzip' }
  const all = { ...headers, 'content-type': type, vary: 'accept-encoding, cookie', ...encoding }
  return c.body(new Uint8Array(zips ? gzipped : bytes), { headers: all })
}

const toAsset = (name: string, type: string, content: string | Buffer): Asset => {
  const bytes = Buffer.from(content)
  return { path: `/assets/${name}`, type, bytes, gzipped: gzipSync(bytes, { level: 9 }) }
}

/** Creates an asset whose name changes with its content. */
const toHashed = (name: string, type: string, content: string | Buffer): Asset =>
  toAsset(name.replace('.', `-${sha256(Buffer.from(content).toString('base64')).slice(0, 12)}.`), type, content)

const utf8 = (type: string) => `${type}; charset=utf-8`

/** The parts of the style sheet in order; later ones override earlier ones. */
const styles = [
  ...['tokens', 'shapes', 'frame', 'parts', 'slip', 'timeline', 'result', 'files', 'talk'],
  ...['bar', 'market', 'agent', 'blocks', 'account', 'door', 'motion', 'phones', 'print'],
].map(name => new URL(`styles/${name}.css`, source))

const fontFile = createRequire(import.meta.url).resolve('@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2')

const readFont = async () => toHashed('figtree.woff2', 'font/woff2', await readFile(fontFile))

/** Returns the style sheet of all web pages, with the path of its font. */
const readStyle = async (font: Asset): Promise<string> =>
  (await Promise.all(styles.map(it => readFile(it, 'utf8')))).join('\n').replace('"figtree.woff2"', `"${font.path}"`)

/**
 * Bundles the page at its first request. No build output is kept in the repository, and a service without visitors builds
 * nothing. The npm package contains the scripts as a file.
 */
const makePage = async (settings: Settings, scripts: () => Promise<Chunks>): Promise<Page> => {
  const { local, mail = false, publicUrl } = settings
  const font = await readFont()
  const [chunks, css, door, early] = await Promise.all([
    scripts(),
    readStyle(font),
    drawDoor({ local, mail, publicUrl }),
    readFile(new URL('opening.js', source), 'utf8'),
  ])
  // The scripts import each other, so the names of the bundler are kept.
  const all = chunks.map(it => toAsset(it.fileName, utf8('text/javascript'), it.code))
  const style = toHashed('page.css', utf8('text/css'), css)
  const inline = firstStyle(css, door)
  const paths = {
    style: style.path,
    script: `/assets/${chunks[0].fileName}`,
    beside: chunks[0].imports.map(name => `/assets/${name}`),
  }
  const parts = { style: inline, opening: early, door, settings: { local, mail } }
  const toShell = (returning: boolean) => toHashed('shell.html', utf8('text/html'), writeShell(paths, { ...parts, returning }))
  return {
    assets: new Map([...all, style, font].map(it => [it.path, it])),
    shell: toShell(true),
    first: toShell(false),
    style,
    policy: toPolicy({ script: early, style: inline }),
  }
}
