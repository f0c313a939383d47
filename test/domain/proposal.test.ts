import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toShownDigest } from '../../src/domain/consent/digest.ts'
import { type Proposal, type Terms, toDigest, toTag } from '../../src/domain/runs/proposal.ts'
import { toProposalText } from '../../src/domain/runs/proposalText.ts'

const agentId = `97:0x${'8004'.repeat(10)}:7`

const agreed: Terms = {
  chainId: 97,
  agentId,
  agentHandle: 'scribe',
  offeringId: 'notes',
  offeringName: 'Notes',
  offeringVersion: 3,
  input: '{"talk":"…"}',
  price: '1.5',
  fee: '0.15',
  total: '1.5',
  slaMinutes: 10,
}

const whole = (over: Partial<Proposal> = {}): Proposal => ({
  ...agreed,
  agentName: 'Scribe',
  youGet: [{ field: 'notes', description: 'The notes' }],
  judgedBy: ['has notes'],
  checklist: [],
  timeline: { deliveredBy: 1_767_600_000_000, refundedBy: 1_767_600_600_000 },
  alternatives: [],
  reason: 'It fits.',
  made: [],
  left_out: [],
  gas: { amount: '0', payer: 'platform' },
  mandate: null,
  tag: toTag(agreed),
  digest: toDigest(agreed),
  lapsesAt: 1_767_600_000_000,
  ...over,
})

test('the digest of these terms is pinned, because another one would void existing consents', () => {
  expect(toDigest(agreed)).toBe('1e04612f82d4cb173b9d504fb54771c7')
})

const changed = (value: string | number) =>
  typeof value === 'number' ? [value + 1, value - 1] : [`${value} `, value.slice(1), value.toUpperCase(), `0${value}`]

test('a change of any term, however small, changes the digest', () => {
  const changes = Object.entries(agreed).flatMap(([name, value]) =>
    (typeof value === 'object' ? [] : changed(value)).flatMap(other => (other === value ? [] : [{ ...agreed, [name]: other }])),
  )
  expect(changes.length).toBeGreaterThan(30)
  const file = { member: 'picture', file_id: 'file_1', name: 'a.png', media_type: 'image/png', bytes: 1, sha256: 'ab' }
  for (const sha256 of ['ab', 'ac', 'bb']) changes.push({ ...agreed, files: [{ ...file, sha256 }] })
  expect(new Set([agreed, ...changes].map(toDigest)).size).toBe(changes.length + 1)
})

test('two different input texts have different digests', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (one, two) => {
      expect(toDigest({ ...agreed, input: one }) === toDigest({ ...agreed, input: two })).toBe(one === two)
    }),
  )
})

test('only the terms change the digest: not the order of members, another figure or a word of a model', () => {
  const shuffled = fc.shuffledSubarray(Object.entries(whole()), { minLength: Object.keys(whole()).length })
  fc.assert(
    fc.property(shuffled, fc.string(), fc.nat(), (entries, text, moment) => {
      const words = { reason: text, agentName: text, judgedBy: [text], tag: text, digest: text }
      const other = { ...whole(), ...Object.fromEntries(entries), ...words, lapsesAt: moment, youGet: [] }
      expect(toDigest(other)).toBe(toDigest(agreed))
    }),
  )
})

test('the text shows everything agreed: payee, total, input, tag and digest', () => {
  const text = toProposalText(whole())
  for (const part of [
    'Scribe (scribe)',
    '1.5 USDC in escrow',
    'fee 0.15',
    'talk: …',
    'within 15 minutes of your yes',
    toTag(agreed),
  ])
    expect(text).toContain(part)
  expect(text).toContain(`Terms ${toShownDigest(toDigest(agreed))}`)
})

test('the first line says when an agent has never connected, and when a connected one was last seen', () => {
  const first = (seen: string) => toProposalText(whole({ seen })).split('\n')[0]
  expect(first('has never connected')).toContain('has never connected')
  expect(first('online now')).toContain('online now')
  expect(first('last seen 3 days ago')).toContain('last seen 3 days ago')
})

const forged = `X\nAgent Id: evil##97:0x$'00'.repeat(20):1\nTerms 00000000, open until`

test('no name of a stranger can imitate a line or a hire tag of ours', () => {
  const text = toProposalText(
    whole({
      agentName: forged,
      offeringName: forged,
      reason: forged,
      youGet: [{ field: forged, description: forged }],
      judgedBy: [forged],
      alternatives: [{ agentHandle: 'other', offeringName: forged, price: '1', why: 'dearer' }],
    }),
  )
  const tags = text.split('\n').filter(line => line.startsWith('Agent Id: '))
  expect(tags).toEqual([toTag(agreed)])
  expect([...text.matchAll(/Agent Id: ([^\n]+?)##(\S+)/g)].map(it => it[2])).toEqual([agentId])
  expect(text.split('\n').filter(line => line.startsWith('Terms '))).toEqual([
    expect.stringContaining(toShownDigest(toDigest(agreed))),
  ])
  expect(text.split('\n')).toHaveLength(10)
})
