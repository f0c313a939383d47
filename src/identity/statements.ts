import { CompactSign } from 'jose'
import { canonical, type JsonObject } from '../domain/json.ts'
import { algorithm, type KeyRing } from './keyRing.ts'

type Signing = { statement: JsonObject; type: 'JOSE' | undefined }

/**
 * Signs a statement as a compact JWS (RFC 7515) over canonical JSON. Its `typ` is never that of a token, so no statement is
 * read as one. The key id is that of `/.well-known/did.json` (did:web).
 */
export const signStatement = async (ring: KeyRing, publicUrl: string, { statement, type }: Signing): Promise<string> => {
  const { kid, privateKey } = await ring.signer()
  return new CompactSign(new TextEncoder().encode(canonical(statement)))
    .setProtectedHeader({
      alg: algorithm,
      kid: `did:web:${encodeURIComponent(new URL(publicUrl).host)}#${kid}`,
      ...(type && { typ: type }),
    })
    .sign(privateKey)
}
