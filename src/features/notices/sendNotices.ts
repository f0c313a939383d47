import { minuteMs, secondMs } from '../../domain/durations.ts'
import { Problem } from '../../domain/problem.ts'
import { toQuotable } from '../../domain/text/quotableText.ts'
import type { Deps } from '../../operations/operation.ts'
import type { PushEnd, WebPush } from '../../ports.ts'
import type { Worker } from '../../workers/loop.ts'
import { type Due, type NoticeTables, noticeTables } from './ports.ts'

/** Pushes under way at once. Each may take as long as a call of a stranger's server. */
const atOnce = 16
/** Attempts at one notice, with a pause that doubles. */
const mostTries = 5
const pauseMs = 30 * secondMs
const nameChars = 60

/** What a notice says. It names no amount and no input, because it may stand on a locked screen. */
export const toNotice = ({ about, id, conversationId, name }: Omit<Due, 'device' | 'at'>) => {
  const quoted = name === '' ? 'Your plan' : `“${toQuotable(name, nameChars)}”`
  if (about === 'search')
    return { title: 'Somebody does it now', body: 'An agent offers what you searched for.', url: '/app/me', tag: id }
  const paid = { title: `${quoted} is ready`, body: 'Open it to see the result.' }
  const unpaid = { title: `${quoted} could not be done`, body: 'Nothing was paid for it.' }
  return { ...(about === 'paid' ? paid : unpaid), url: `/app/c/${encodeURIComponent(conversationId)}`, tag: id }
}

type Reach = Pick<Deps, 'store'> & { push: WebPush }

/** Tells the browsers of users what ended. A browser gets one notice after the other; one that left is forgotten. */
export const sendNotices = ({ store, push }: Reach): Worker => {
  const tables = noticeTables(store)
  const tell = async (due: Due): Promise<void> => {
    const notice = toNotice(due)
    // A host that resolves to a private address now is never called again.
    const end = await push
      .send(due.device, JSON.stringify(notice), toTopic(due.id))
      .catch((error: unknown): PushEnd => (error instanceof Problem ? 'gone' : 'later'))
    await settle(tables, due, end)
  }
  return {
    name: 'sendNotices',
    channel: 'notices',
    idleMs: 2 * secondMs,
    async runOnce() {
      const due = await tables.dueNotices(atOnce)
      await Promise.all(due.map(tell))
      return due.length > 0
    },
  }
}

const settle = async (tables: NoticeTables, { device, at }: Due, end: PushEnd): Promise<void> => {
  if (end === 'gone') await tables.dropDevice(device.id, device.wallet)
  else if (end === 'taken' || device.tries + 1 >= mostTries) await tables.markTold(device.id, at)
  else await tables.postpone(device.id, Math.min(pauseMs * 2 ** device.tries, 10 * minuteMs))
}

/** A topic has at most 32 characters of base64url (RFC 8030, section 5.4). */
const toTopic = (id: string): string => id.replace(/[^A-Za-z0-9_-]/g, '').slice(-32)
