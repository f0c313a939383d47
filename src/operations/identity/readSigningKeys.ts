import { z } from 'zod'
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
