import { z } from 'zod'
import { accessOf, operation } from '../operation.ts'

const jwk = z.object({
  ...{ kty: z.string(), crv: z.string(), x: z.string(), y: z.string() },
  ...{ kid: z.string(), alg: z.string(), use: z.string() },
})

export const readSigningKeys = operation({
  name: 'readSigningKeys',
  summary: 'The public keys with which tokens of this service are checked (RFC 7517).',
  caller: 'anyone',
  input: z.object({}),
  output: z.object({ keys: z.array(jwk) }),

  run: async (_input, deps) => ({ keys: await accessOf(deps).publicKeys() }),
})
