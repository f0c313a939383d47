import { sha256 } from '../../domain/json.ts'
import { toQuotable } from '../../domain/text/quotableText.ts'
import type { OpenPage } from '../../http/openPage.ts'
import { createTurns } from '../../operations/turns.ts'
import type { SharedRecord } from '../../records/share.ts'
import { drawPreview, type Preview } from './preview.ts'
import { findShared } from './readShared.ts'

/** Pictures kept in memory, some 30 KB each. */
const mostPictures = 100
/** Pictures drawn at once, and requests that wait for one. A picture takes some 100 ms. */
const drawn = createTurns({ atOnce: 1, waiting: 50 })
const waitMs = 5_000

const nameChars = 90

/** A picture names the offering, its agent and the price. It never contains anything of the deliverable. */
const toPreview = ({ offering_name, agent_name, agent_id, price, checked }: SharedRecord): Preview => ({
  title: toQuotable(offering_name, nameChars),
  by: toQuotable(agent_name, nameChars),
  price: `${price} USDC`,
  isChecked: checked,
  seed: agent_id,
})

const pictures = new Map<string, Uint8Array<ArrayBuffer>>()

const pictureOf = async (preview: Preview): Promise<Uint8Array<ArrayBuffer>> => {
  const key = sha256(JSON.stringify(preview))
  const kept = pictures.get(key)
  if (kept) return kept
  const picture = await drawn.take('preview', AbortSignal.timeout(waitMs), async () => pictures.get(key) ?? drawPreview(preview))
  const [oldest] = pictures.size < mostPictures ? [] : pictures.keys()
  if (oldest !== undefined) pictures.delete(oldest)
  pictures.set(key, picture)
  return picture
}

export const sharedPage: OpenPage = {
  path: '/app/s/:id',
  picture: '/app/s/:id/preview.png',
  async readHead(id, deps) {
    const shared = await findShared(deps, id)
    if (!shared) return undefined
    const [title, by] = [toQuotable(shared.offering_name, nameChars), toQuotable(shared.agent_name, nameChars)]
    return { title: `${title} · Agent marketplace`, description: `A result by ${by}, for ${shared.price} USDC.` }
  },
  async draw(id, deps) {
    const shared = await findShared(deps, id)
    return shared && pictureOf(toPreview(shared))
  },
}
