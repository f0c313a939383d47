import { setTimeout as pause } from 'node:timers/promises'
import { privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import type { Hex } from '../../src/domain/hex.ts'
import { type Authorization, toHeader } from '../../src/domain/x402/x402.ts'
import type { Claim } from './audit/payments.ts'
import { lower, type NodePlace, type Outsider, openOutsider } from './outsider.ts'
import { beatsMs } from './provider.ts'
import type { Random } from './sim/random.ts'
import { until } from './until.ts'

const terms = z.object({ accepts: z.array(z.object({ payTo: z.string(), amount: z.string() })) })
const record = z.looseObject({ state: z.string(), content: z.string(), look_at: z.string(), transaction: z.string().nullable() })

type Signed = { payer: Outsider; signed: Authorization }
/**
 * What a dishonest payer does with what it has signed. Sending it honestly is left to the simulation: a chain that is killed, or a deep
 * reorganisation, loses what others sent.
 */
const cheats: Record<string, (of: Signed) => Promise<unknown>> = {
  'spends the nonce on itself': async ({ payer, signed }) => {
    const { value, nonce } = signed
    return payer.sendTransfer(await payer.sign({ to: payer.wallet, value, nonce }))
  },
  'pays the agent a unit with the same nonce': async ({ payer, signed: { to, nonce } }) =>
    payer.sendTransfer(await payer.sign({ to, value: 1n, nonce })),
  'takes it back': ({ payer, signed }) => payer.cancel(signed),
  'does nothing': async () => undefined,
}

const toPayment = ({ signature, ...of }: Authorization): string => {
  const authorization = Object.fromEntries(Object.entries(of).map(([name, value]) => [name, String(value)]))
  return toHeader({ x402Version: 2, accepted: { scheme: 'exact', network: 'eip155:97' }, payload: { signature, authorization } })
}

type Options = {
  /** The paid call. */
  url: string
  body: unknown
  privateKey: Hex
  node: () => NodePlace
  elapsedMs?: (() => number) | undefined
}

/** A payer by x402 that cheats before, during or after the work. It keeps what it was told. */
export const openCheat = ({ url, body, privateKey, node, elapsedMs }: Options) => {
  const payer = openOutsider(privateKeyToAccount(privateKey), node)
  const claims: Claim[] = []
  const patient = elapsedMs && { elapsedMs }

  const request = (path: string, init: RequestInit = {}) =>
    until(
      `an answer of ${path}`,
      async () => {
        const answer = await fetch(path, init)
        // 502 says that the work failed; other errors of the server pass.
        if (answer.status >= 500 && answer.status !== 502) throw new Error(`${answer.status} ${await answer.text()}`)
        return { required: answer.headers.get('payment-required'), said: parsed(await answer.text()) }
      },
      patient,
    )
  const post = (payment?: string) =>
    request(url, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...(payment !== undefined && { 'payment-signature': payment }) },
    })

  /** Follows a call until it has ended. */
  const follow = async (said: unknown): Promise<z.infer<typeof record> | undefined> => {
    const { data } = record.safeParse(said)
    if (data?.state !== 'working' && data?.state !== 'settling') return data
    return until(
      'the end of a paid call',
      async () => {
        const now = record.parse((await request(new URL(data.look_at, url).href)).said)
        return now.state === 'working' || now.state === 'settling' ? undefined : now
      },
      patient,
    )
  }

  return {
    claims,
    /** Signs a payment for the call and sends it, and cheats at some time. Resolves with how it cheated. */
    async call(random: Random): Promise<string> {
      const { required } = await post()
      const [asked] = terms.parse(parsed(Buffer.from(required ?? '', 'base64').toString())).accepts
      if (!asked) throw new Error('nobody asks for a payment')
      const signed = await payer.sign({ to: lower(asked.payTo), value: BigInt(asked.amount) })
      const [name, cheat] = random.pick(Object.entries(cheats))
      // A node that is down, or a token that refuses it, only prevents the cheat.
      const cheating = async (afterMs: number) => pause(afterMs).then(() => cheat({ payer, signed }).catch(() => undefined))
      const when = random.pick(['before', 'during', 'during', 'after'] as const)
      if (when === 'before') await cheating(0)
      const during = when === 'during' ? cheating(random.int(beatsMs)) : undefined
      const ended = await follow((await post(toPayment(signed))).said)
      await during
      if (when === 'after') await cheating(0)
      claims.push({ signed, hasWork: ended !== undefined && ended.content !== '' })
      return `payer ${name} (${when})`
    },
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
