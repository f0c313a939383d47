import { inflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readGlyphs } from '../../../src/features/sharing/preview.ts'
import { sharedRecord, shareRecord, sharesRecord } from '../../../src/records/share.ts'
import { rested, talk } from '../../hire/market.ts'
import { get, post, send } from '../../http/wire.ts'
import { startTestService, type TestService, type User } from '../../service.ts'

const hostile = '<script>alert(1)</script><img src=x onerror=alert(1)>"><meta http-equiv=refresh content="0;url=//evil.example">'
const long = 'a line of the long work\n'.repeat(10_000)

let market: TestService
let owner: User
let other: User
beforeAll(async () => {
  market = await startTestService()
  ;[owner, other] = await Promise.all([market.user('owner'), market.user('other')])
  const works: [string, string, string][] = [
    ['poet', 'Write a poem', 'Waves, and waves again.'],
    ['hostile', `Bad "><script>alert(1)</script> work`, hostile],
    ['longhand', 'Write at length', long],
  ]
  for (const [handle, name, work] of works)
    await market.agent({
      handle,
      name: `${handle} & "sons"`,
      offerings: [{ id: 'one', name, description: `Does the work of ${handle}.`, price: '0.02', slaMinutes: 5 }],
      handler: async () => work,
    })
})
afterAll(() => market.stop())

const secret = 'my secret address is Elm Street 4711'

/** Hires an agent, waits for its result, and returns the run. */
const hire = async (handle: string) => {
  const { say } = talk(owner)
  const { data } = await say(`Hire agent ${handle} to do this: ${secret}`)
  await say('yes', 0)
  const run = await rested(owner, data.run_id)
  expect(run.job?.state).toBe('settled')
  return run
}
const share = async (runId: string) => shareRecord.parse(await owner.client.post('/v1/shares', { run_id: runId }))
const pathOf = (url: string) => new URL(url).pathname
const end = (id: string, { token }: User) =>
  send(market.url, { method: 'DELETE', path: `/v1/shares/${id}`, headers: { authorization: `Bearer ${token}` } })

describe('a link to a result', () => {
  test('shows strangers the work, its agent, price and day, and nothing of its owner', async () => {
    const run = await hire('poet')
    const made = await share(run.run_id)
    const answer = await get(market.url, `/v1/shared/${made.share_id}`)
    expect(Object.keys(sharedRecord.strict().parse(answer.json))).toEqual(Object.keys(sharedRecord.shape))
    expect(answer.json).toMatchObject({
      offering_name: 'Write a poem',
      agent_handle: 'poet',
      price: '0.02',
      deliverable: 'Waves, and waves again.',
    })
    const page = await get(market.url, pathOf(made.url))
    for (const text of [answer.text, page.text])
      for (const private_ of [
        run.run_id,
        run.conversation_id,
        run.job?.job_id ?? 'no job',
        owner.wallet,
        owner.proxy,
        '4711',
        'Elm',
      ])
        expect(text).not.toContain(private_)
    expect(page).toMatchObject({
      status: 200,
      headers: { 'x-robots-tag': 'noindex, nofollow', 'cache-control': 'private, no-cache' },
    })
    expect(page.text).toContain('<meta name="robots" content="noindex, nofollow">')
    expect(page.text).toContain('<meta property="og:title" content="Write a poem · Agent marketplace">')
    expect(page.text).toContain(`<meta property="og:image" content="${market.url}${pathOf(made.url)}/preview.png">`)
  })

  test('is made once for a result, listed for its owner alone, and withdrawn by its owner alone', async () => {
    const run = await hire('poet')
    const made = await share(run.run_id)
    expect(await share(run.run_id)).toEqual(made)
    const ofOther = sharesRecord.parse(await other.client.get('/v1/shares'))
    expect(ofOther.shares).toEqual([])
    expect((await end(made.share_id, other)).status).toBe(404)
    expect((await get(market.url, `/v1/shared/${made.share_id}`)).status).toBe(200)
    expect((await end(made.share_id, owner)).status).toBe(200)
    for (const path of [`/v1/shared/${made.share_id}`, pathOf(made.url), `${pathOf(made.url)}/preview.png`]) {
      const gone = await get(market.url, path)
      expect([path, gone.status]).toEqual([path, 404])
      expect(gone.text).not.toMatch(/poem|Waves/)
    }
    // A link that was ended never comes back: the next one has another address.
    expect((await share(run.run_id)).share_id).not.toBe(made.share_id)
  })

  test('has 128 random bits, and nothing like it shows anything', async () => {
    const made = await share((await hire('poet')).run_id)
    expect(Buffer.from(made.share_id, 'base64url')).toHaveLength(16)
    const tries = [
      made.share_id.slice(0, -1),
      made.share_id.toLowerCase(),
      `${made.share_id}%00`,
      '%25',
      "' or 1=1 --",
      made.run_id,
      '*',
    ]
    for (const it of tries.filter(one => one !== made.share_id)) {
      const path = `/v1/shared/${it.includes('%') ? it : encodeURIComponent(it)}`
      expect([it, (await get(market.url, path)).status]).toEqual([it, expect.toBeOneOf([404, 422])])
    }
  })

  test('ends with the deletion of its owner’s data', async () => {
    const leaver = await market.user('leaver')
    const { data } = await talk(leaver).say('Hire agent poet to do this: say goodbye')
    await talk(leaver, data.conversation_id).say('yes', 0)
    await rested(leaver, data.run_id)
    const made = shareRecord.parse(await leaver.client.post('/v1/shares', { run_id: data.run_id }))
    await leaver.client.post('/v1/own-records/delete', { confirm: 'delete my data' })
    expect((await get(market.url, `/v1/shared/${made.share_id}`)).status).toBe(404)
  })

  test('is made of a paid result of one’s own alone', async () => {
    const run = await hire('poet')
    expect(await post(market.url, '/v1/shares', { run_id: run.run_id }, other.token)).toMatchObject({ status: 404 })
    expect(await post(market.url, '/v1/shares', { run_id: run.run_id })).toMatchObject({ status: 401 })
    const { data } = await talk(owner).say('Hire agent poet to do this: wait for my yes')
    expect(await post(market.url, '/v1/shares', { run_id: data.run_id }, owner.token)).toMatchObject({ status: 422 })
  })

  test('to a hostile result: its markup stays data, and its name is escaped in the head', async () => {
    const made = await share((await hire('hostile')).run_id)
    const answer = await get(market.url, `/v1/shared/${made.share_id}`)
    expect(answer.headers['content-type']).toBe('application/json')
    expect(answer.json).toMatchObject({ deliverable: hostile })
    const page = await get(market.url, pathOf(made.url))
    const [own = ''] = /<script data-scripts="[^>]*>[^<]*<\/script>/.exec(page.text) ?? []
    expect(own).toContain('Runs in the head of the page')
    expect(page.text.replace(own, '')).not.toMatch(
      /alert\(1\)<|onerror|http-equiv|evil|<script(?!(?: type="module")? src="\/assets\/)/,
    )
    expect(page.text).toMatch(/content="Bad &quot;&gt;/)
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'self';.*frame-ancestors 'none'/)
  })

  test('to a huge result sends it when it is asked for alone', async () => {
    const made = await share((await hire('longhand')).run_id)
    const first = await get(market.url, `/v1/shared/${made.share_id}?deliverable=reference`)
    expect(first.text.length).toBeLessThan(2_000)
    expect(first.json).toMatchObject({ deliverable: '', deliverable_chars: long.length })
    expect((await get(market.url, `/v1/shared/${made.share_id}`)).json).toMatchObject({ deliverable: long })
  })

  test('has a preview picture that is drawn by the service: a PNG of 1200 × 630 with what the head says', async () => {
    const made = await share((await hire('poet')).run_id)
    const answer = await fetch(`${market.url}${pathOf(made.url)}/preview.png`)
    expect(answer.headers.get('content-type')).toBe('image/png')
    expect(answer.headers.get('x-robots-tag')).toBe('noindex, nofollow')
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630])
    expect(bytes.length).toBeLessThan(100_000)
    const at = bytes.indexOf('IDAT')
    const pixels = inflateSync(bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at - 4)))
    expect(pixels).toHaveLength((1200 * 3 + 1) * 630)
    const again = await fetch(`${market.url}${pathOf(made.url)}/preview.png`)
    expect(Buffer.from(await again.arrayBuffer()).equals(bytes)).toBe(true)
  })
})

test.each([...'0HOMTUVWXAo"8|-–'])(
  'the letter %s of a preview picture is whole: its left half mirrors its right half',
  letter => {
    const glyph = readGlyphs().glyphs.get(letter)
    if (!glyph) throw new Error('no such letter')
    const { width, height, alpha } = glyph
    let [ink, off] = [0, 0]
    for (let y = 0; y < height; y += 1)
      for (let x = 0; x < width; x += 1) {
        ink += alpha[y * width + x] ?? 0
        off += Math.abs((alpha[y * width + x] ?? 0) - (alpha[y * width + width - 1 - x] ?? 0))
      }
    expect(ink).toBeGreaterThan(0)
    expect(off / ink).toBeLessThan(0.3)
  },
)
