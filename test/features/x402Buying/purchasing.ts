import { type PurchaseRecord, purchaseRecord } from '../../../src/records/purchase.ts'
import type { Fuse } from '../../fuse.ts'
import { type User, until } from '../../service.ts'

/** Purchases of a user, over HTTP. @param user read anew at each call, because tests begin before there is one */
export const purchasesFor = (user: () => User) => {
  const post = async (path: string, body: Record<string, unknown>) =>
    purchaseRecord.parse(await user().client.post(`/v1/purchases${path}`, body))
  const propose = (url: string, more: Record<string, unknown> = {}) => post('', { url, ...more })
  const confirm = ({ purchase_id, digest }: PurchaseRecord, more: Record<string, unknown> = {}) =>
    post(`/${purchase_id}/confirm`, { digest, decision: 'yes', ...more })
  const read = async (id: string) => purchaseRecord.parse(await user().client.get(`/v1/purchases/${id}`))
  return {
    propose,
    confirm,
    read,
    ended: (id: string) =>
      until('the end of the purchase', async () => {
        const it = await read(id)
        return it.state === 'paying' || it.state === 'proposed' ? undefined : it
      }),
    /** Says yes while the service dies, and again after its next start. */
    async confirmTwice(proposed: PurchaseRecord, { fuse, calls, restart }: Death) {
      fuse.left = calls
      const first = confirm(proposed).catch(() => undefined)
      await Promise.race([first, fuse.burnt])
      fuse.left = 0
      await restart()
      await first
      await confirm(proposed, { wait_ms: 0 })
    },
  }
}

type Death = { fuse: Fuse; calls: number; restart(): Promise<unknown> }
