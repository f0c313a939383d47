import { createHmac, randomBytes } from 'node:crypto'
import type { Sealer, Store } from '../ports.ts'

const keyBytes = 32
const secretName = 'file-links'

/** Signs texts with a key that all processes of one database share, and that is never told. */
export const createSigner = ({ store, sealer }: { store: Pick<Store, 'addSecret'>; sealer: Sealer }) => {
  let sealed: Promise<string> | undefined
  return async (text: string): Promise<string> => {
    sealed ??= store.addSecret(secretName, sealer.seal(randomBytes(keyBytes).toString('hex'), secretName))
    return createHmac('sha256', sealer.open(await sealed, secretName))
      .update(text)
      .digest('base64url')
  }
}
