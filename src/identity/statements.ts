import { CompactSign } from 'jose'
import { canonical, type JsonObject } from '../domain/json.ts'
import { algorithm, type KeyRing } from './keyRing.ts'

/**
 * Signs a statement as a compact JWS (RFC 7515) over canonical JSON. Its header has no `typ`, so no statement is ever read as a
 * token. The key id is that of `/.well-known/did.json` (did:web).
 */
export const signStatement = async (ring: KeyRing, publicUrl: string, statement: JsonObject): Promise<string> => {
  const { kid, privateKey } = await ring.signer()
  return new CompactSign(new TextEncoder().encode(canonical(statement)))
    .setProtectedHeader({ alg: algorithm, kid: `did:web:${encodeURIComponent(new URL(publicUrl).host)}#${kid}` })
    .sign(privateKey)
}
