import { z } from 'zod'
import { jsonObject } from '../../domain/json.ts'
import { accessOf, operation } from '../operation.ts'

const jwk = z.object({
  kty: z.string(),
  crv: z.string(),
  x: z.string(),
  y: z.string(),
  kid: z.string(),
  alg: z.string(),
  use: z.string(),
})

export const readSigningKeys = operation({
  name: 'readSigningKeys',
  summary: "The public keys that verify this service's tokens (JWK Set, RFC 7517).",
  caller: 'anyone',
  input: z.object({}),
  output: z.object({ keys: z.array(jwk) }),

  run: async (_input, deps) => ({ keys: await accessOf(deps).publicKeys() }),
})

export const readDidDocument = operation({
  name: 'readDidDocument',
  summary: 'The keys that verify signed offers and receipts of this service, as a DID document (did:web).',
  caller: 'anyone',
  input: z.object({}),
  output: z.object({
    '@context': z.array(z.string()),
    id: z.string(),
    verificationMethod: z.array(
      z.object({ id: z.string(), type: z.literal('JsonWebKey2020'), controller: z.string(), publicKeyJwk: jsonObject }),
    ),
    assertionMethod: z.array(z.string()),
  }),

  async run(_, deps) {
    const id = `did:web:${encodeURIComponent(new URL(deps.settings.publicUrl).host)}`
    const keys = await accessOf(deps).publicKeys()
    const methods = keys.map(({ kid, kty, crv, x, y }) => ({
      id: `${id}#${kid}`,
      type: 'JsonWebKey2020' as const,
      controller: id,
      publicKeyJwk: { kty, crv, x, y },
    }))
    return {
      '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/suites/jws-2020/v1'],
      id,
      verificationMethod: methods,
      assertionMethod: methods.map(it => it.id),
    }
  },
})
