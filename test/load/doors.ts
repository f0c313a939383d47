import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { parseJson } from '../../src/domain/json.ts'
import type { Sender } from './sender.ts'

const begun = z.object({ code: z.string() })
const registered = z.object({ client_id: z.string() })
const hexOf = (count: number) => `0x${randomBytes(count).toString('hex')}`
const redirect_uris = Array.from({ length: 5 }, (_, at) => `https://client.example/${'x'.repeat(200)}${at}`)
const form = (members: Record<string, string>) => new URLSearchParams(members).toString()

/** An answer of a passkey that was never made, of the right shape. */
const passkeyAnswer = () => {
  const bytes = (count: number) => randomBytes(count).toString('base64url')
  const response = { clientDataJSON: bytes(2_000), attestationObject: bytes(4_000) }
  return { id: bytes(16), rawId: bytes(16), type: 'public-key', clientExtensionResults: {}, response }
}

/**
 * What strangers can ask of the sign-in: registrations of programs, codes, metadata documents that never end, challenges of
 * passkeys, and signatures about which a chain must be asked.
 * @param slow a server that never answers
 */
export const atDoors = ({ send }: Sender, slow: string) => {
  const asked = (client_id: string, from: string) => {
    const query = form({ response_type: 'code', client_id, code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' })
    return send(`/oauth/request?${query}`, { from })
  }
  return [
    async (from: string) => {
      const { data } = registered.safeParse(
        parseJson(await send('/oauth/register', { from, body: { client_name: 'x', redirect_uris } })),
      )
      if (data) await asked(data.client_id, from)
    },
    (from: string) => asked(`${slow}/${hexOf(8)}.json`, from),
    (from: string) =>
      send('/oauth/token', {
        from,
        body: { grant_type: 'authorization_code', code: `${hexOf(40)}.${hexOf(16)}`, client_id: 'x' },
      }),
    (from: string) => send('/v1/passkeys/options', { from, body: { purpose: 'sign-up' } }),
    (from: string) => send('/v1/passkeys/sign-up', { from, body: { answer: passkeyAnswer() } }),
    (from: string) => send('/v1/passkeys/recover', { from, body: { recovery_code: hexOf(13) } }),
    async (from: string) => {
      const { data } = begun.safeParse(parseJson(await send('/v1/init', { from, body: true })))
      const wrapped = `${hexOf(2_000)}${'6492'.repeat(16)}`
      if (data) await send('/v1/approve', { from, body: { code: data.code, address: hexOf(20), signature: wrapped } })
    },
  ]
}
