import { createHash } from 'node:crypto'
import { z } from 'zod'
import { toIso } from '../../domain/durations.ts'
import { limits } from '../../domain/limits.ts'
import { checkEndpoint } from '../../domain/net/publicAddress.ts'
import { Problem } from '../../domain/problem.ts'
import { endOwn } from '../../operations/endOwn.ts'
import { type Deps, operation, userOf } from '../../operations/operation.ts'
import type { WebPush } from '../../ports.ts'
import { deviceRecord, noticesRecord } from '../../records/notice.ts'
import { type Device, noticeTables } from './ports.ts'

const most = { ofWallet: limits.noticeDevices, ofAll: limits.noticeDevicesOfAll }

const webPushOf = ({ webPush }: Deps): WebPush => {
  if (!webPush) throw new Problem('not-found', 'This service tells browsers nothing.')
  return webPush
}

const toRecord = ({ id, endpoint, createdAt }: Device) => ({
  device_id: id,
  push_service: new URL(endpoint).host,
  since: toIso(createdAt),
})

export const readNotices = operation({
  name: 'readNotices',
  summary: 'The key for a push subscription of your browser, and your browsers that are told when a job ends.',
  input: z.object({}),
  output: noticesRecord,

  async run(_input, deps, caller) {
    const devices = await noticeTables(deps.store).devicesOf(userOf(caller))
    return { public_key: await webPushOf(deps).publicKey(), devices: devices.map(toRecord) }
  },
})

const bytes = (length: number) =>
  z.base64url().refine(it => Buffer.from(it, 'base64url').length === length, `must have ${length} bytes`)

export const addDevice = operation({
  name: 'addDevice',
  summary: 'Tell this browser when a job of yours ends or a search finds an offering. The body is its push subscription.',
  input: z.object({
    endpoint: z.string().describe('Address of its push service'),
    keys: z.object({ p256dh: bytes(65), auth: bytes(16) }).describe('Keys of the browser (RFC 8291), in base64url'),
  }),
  output: deviceRecord,

  async run({ endpoint, keys }, deps, caller) {
    const wallet = userOf(caller)
    webPushOf(deps)
    const { allowsPrivate } = deps.settings
    const url = checkEndpoint(endpoint, { allowsPrivate, member: 'endpoint' })
    if (url.protocol !== 'https:' && !allowsPrivate)
      throw new Problem('endpoint-not-allowed', 'endpoint must begin with https://.', '/endpoint')
    // The address names the browser, so the same one again is the same device.
    const id = `dev_${createHash('sha256').update(url.href).digest('hex').slice(0, 32)}`
    const tables = noticeTables(deps.store)
    if (!(await tables.keepDevice({ id, wallet, endpoint: url.href, ...keys }, most))) throw new Problem('too-many-kept')
    const kept = (await tables.devicesOf(wallet)).find(it => it.id === id)
    if (!kept) throw new Problem('too-many-kept')
    return toRecord(kept)
  },
})

export const endDevice = endOwn({
  name: 'endDevice',
  summary: 'Tell a browser nothing more.',
  input: z.object({ device_id: z.string().max(100) }),
  missing: 'No such browser.',
  end: ({ device_id }, { store }, wallet) => noticeTables(store).dropDevice(device_id, wallet),
})
