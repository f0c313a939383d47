import { randomBytes } from 'node:crypto'
import { sha256 } from '../../domain/json.ts'
import type { Access } from '../../operations/identityParts.ts'

type Kind = 'oauth-code' | 'oauth-refresh'
const randomCount = 32

/** A secret of a grant: a code or a refresh token. It names its grant, and only its hash is stored. */
export const makeSecret = (access: Access, kind: Kind, grantId: string): { secret: string; hash: string } => {
  const secret = access.pack(`${grantId} ${randomBytes(randomCount).toString('base64url')}`, kind)
  return { secret, hash: sha256(secret) }
}

/** The grant and the hash of a secret that was made here, whether it was used before or not. */
export const readSecret = (access: Access, kind: Kind, secret = ''): { grantId: string; hash: string } | undefined => {
  const [grantId] = access.unpack(secret, kind)?.split(' ') ?? []
  return grantId === undefined ? undefined : { grantId, hash: sha256(secret) }
}
