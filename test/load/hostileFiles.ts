import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { deflateSync, gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { z } from 'zod'
import { limits } from '../../src/domain/limits.ts'
import { makeLink, png, sendFile, upload } from '../files/wire.ts'
import { openUser } from '../service.ts'
import { openBrowser } from '../web/browser.ts'
import { startServiceProcess } from './serviceProcess.ts'

const env = { MAX_FILE_MB: '1', RATE_LIMIT: '0' }
const mostBytes = 1_024 ** 2
const listed = z.object({ files: z.array(z.unknown()), next: z.number().nullable() })
type As = { url: string; token: string }

const script = '<script>alert(1)</script>'
const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'
const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
/** Bytes that a browser, or a server that unpacks, would take for something else than their sender says. */
const bodies: Buffer[] = [
  Buffer.concat([gif, Buffer.from('=1;alert(1)')]),
  Buffer.from('GIF89a=1;alert(1)'),
  Buffer.concat([png, Buffer.from(script)]),
  Buffer.from(`%PDF-1.7\n${script}\n%%EOF`),
  Buffer.from('alert(1)//%PDF-1.7'),
  Buffer.from(svg),
  Buffer.from(`<?xml version="1.0"?>${svg}`),
  Buffer.from(`<!doctype html>${script}`),
  Buffer.from(`\ufeff<html>${script}`, 'utf16le'),
  Buffer.from('+ADw-script+AD4-alert(1)+ADw-/script+AD4-'),
  Buffer.from('{}*{background:url("javascript:alert(1)")}\nalert(1)'),
  gzipSync(Buffer.alloc(100 * mostBytes)),
  Buffer.concat([png.subarray(0, 8), deflateSync(Buffer.alloc(100 * mostBytes))]),
]
const claims = [
  ['text/html', 'page.html'],
  ['image/svg+xml', 'drawing.svg'],
  ['text/javascript', 'code.js'],
  ['image/png', '../../photo\u202egpj.exe'],
] as const

/** Ways in which a page of the same origin, without any policy of its own, could run a file. */
const runs = (url: string) => [
  `<script src="${url}"></script>`,
  `<script type="module" src="${url}"></script>`,
  `<iframe src="${url}"></iframe>`,
  `<object data="${url}"></object>`,
  `<embed src="${url}">`,
  `<img src="${url}">`,
  `<link rel="stylesheet" href="${url}">`,
]

/** Hostile files and readers, and how many got something: a script that ran, bytes of another user, more than a bound allows. */
export const benchHostileFiles = async ({ say }: { say(line: string): void }) => {
  const market = await startServiceProcess({ env })
  try {
    const enter = async (name: string): Promise<As> => {
      const { token } = await openUser(market.url, join(market.dir, `${name}.json`))
      return { url: market.url, token }
    }
    const [ada, bob, eve] = [await enter('ada'), await enter('bob'), await enter('eve')]
    const before = await market.rssMb()
    const files: { file_id: string; sha256: string; url: string }[] = []
    for (const bytes of bodies)
      for (const [type, name] of claims) {
        const { file_id, sha256 } = await upload(ada, { bytes: Buffer.concat([bytes, randomBytes(4)]), type, name })
        files.push({ file_id, sha256, url: (await makeLink(ada, file_id)).link?.url ?? '' })
      }
    say(`${files.length} files: strangers read …`)
    const tries: boolean[] = []
    for (const it of files) tries.push(...(await strangerTries(it, bob)))
    say('a browser runs them …')
    const browser = await tryInBrowser(market.url, files)
    say('more than the bounds …')
    const bounds = await tryBounds(eve)
    return {
      files: files.length,
      strangers: { tries: tries.length, read: tries.filter(Boolean).length },
      browser,
      bounds: { tries: bounds.length, exceeded: bounds.filter(Boolean).length },
      memory: { growth_mb: (await market.peakRssMb()) - before },
    }
  } finally {
    await market.stop()
  }
}

/** Whether each of the tries of somebody who knows id, hash and an address with changes got bytes. */
const strangerTries = async (
  { file_id, sha256, url }: { file_id: string; sha256: string; url: string },
  { url: base, token }: As,
) => {
  const changed = ['by', 'until', 'sig'].flatMap(part => {
    const [more, none, other] = [new URL(url), new URL(url), new URL(url)]
    more.searchParams.set(part, `${more.searchParams.get(part)}1`)
    none.searchParams.delete(part)
    other.pathname = other.pathname.replace(/.$/, it => (it === '0' ? '1' : '0'))
    return [more, none, other].map(String)
  })
  const ids = [file_id, sha256, `file_${sha256.slice(0, 32)}`, `${file_id}%00`, `..%2f${file_id}`].map(
    it => `${base}/v1/files/${it}`,
  )
  const ranges = ['bytes=0-', 'bytes=-1', 'bytes=0-0,1-1']
  const asBob = { authorization: `Bearer ${token}` }
  const asked = [
    ...ids.flatMap(it => [fetch(it), fetch(it, { headers: asBob }), fetch(`${it}/record`, { headers: asBob })]),
    ...ranges.map(range => fetch(ids[0] ?? '', { headers: { ...asBob, range } })),
    fetch(`${ids[0]}/link`, { method: 'POST', headers: asBob }),
    ...changed.map(it => fetch(it)),
  ]
  return Promise.all(asked.map(async it => (await it).ok))
}

/** Scripts that ran, and those of a page that runs one on purpose, so that the count is known to work. */
const tryInBrowser = async (base: string, files: readonly { url: string }[]) => {
  const browser = await openBrowser()
  try {
    const page = await (await browser.newContext({ acceptDownloads: false })).newPage()
    let executed = 0
    page.on('dialog', dialog => {
      executed += 1
      void dialog.dismiss()
    })
    const show = (html: string) => open(page, { at: `${base}/attacker.html`, html })
    await show('<script>alert(1)</script>')
    const control = executed
    executed = 0
    const markups = files.map(({ url }) => runs(url.replaceAll('&', '&amp;')).join(''))
    for (const it of markups) await show(it)
    // Opened in a tab of its own, each one is a download, which ends the navigation.
    for (const { url } of files) await page.goto(url).catch(() => undefined)
    return { tries: files.length * (runs('').length + 1), executed, control }
  } finally {
    await browser.close()
  }
}

const open = async (page: Page, { at, html }: { at: string; html: string }) => {
  await page.unroute(at)
  await page.route(at, route => route.fulfill({ contentType: 'text/html', body: html }))
  await page.goto(at)
}

/** Whether each try to send or keep more than the bounds succeeded. */
const tryBounds = async (eve: As): Promise<boolean[]> => {
  const announced = await sendFile(eve, { bytes: new Uint8Array(mostBytes + 1) })
  const stream = new Blob([new Uint8Array(2 * mostBytes)]).stream()
  const headers = { authorization: `Bearer ${eve.token}` }
  const path = `${eve.url}/v1/files`
  const streamed = await fetch(path, { method: 'POST', headers, body: stream, duplex: 'half' }).catch(() => undefined)
  const begun = await fetch(`${eve.url}/v1/uploads`, {
    method: 'POST',
    headers: { ...headers, 'upload-length': `${mostBytes + 1}` },
  })
  for (let at = 0; at < limits.filesOfUser + 10; at += 1) await upload(eve, { bytes: randomBytes(8), name: `${at}` })
  let kept = 0
  for (let next: number | null = Number.MAX_SAFE_INTEGER; next; ) {
    const page = listed.parse(await (await fetch(`${path}?limit=100&before=${next}`, { headers })).json())
    kept += page.files.length
    next = page.next
  }
  return [announced.ok, streamed?.ok === true, begun.ok, kept > limits.filesOfUser]
}
