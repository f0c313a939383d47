import { z } from 'zod'
import { type Address, address, type Hex, hex } from '../../../../src/domain/hex.ts'
import { sha256 } from '../../../../src/domain/json.ts'
import type { Call, SignedTransaction } from '../../../../src/ports.ts'
import { fromCalldata } from './calldata.ts'
import { type ContractCall, contractCall } from './contracts.ts'

/** `fee` is the maximum fee per gas in wei. */
export type Tx = { hash: Hex; sender: Address; nonce: number; fee: bigint; call: Call }

// The bytes are JSON in hex. The same sender, nonce, fee and call always have the same bytes and hash.

const toHex = (value: unknown): Hex => hex.parse(`0x${Buffer.from(JSON.stringify(value)).toString('hex')}`)
const fromHex = (bytes: Hex): unknown => JSON.parse(Buffer.from(bytes.slice(2), 'hex').toString())

/** The first byte of JSON, with which no call of a contract here begins. */
const json = '0x7b'

export const toData = (call: ContractCall): Hex => toHex(call)

/** The call in a transaction, whether the model or the service encoded it. */
export const fromData = (data: Hex): z.output<typeof contractCall> => {
  const known = read.get(data) ?? contractCall.parse(data.startsWith(json) ? fromHex(data) : fromCalldata(data))
  if (read.size > maxRead) read.clear()
  read.set(data, known)
  return known
}

const maxRead = 2_000
const read = new Map<Hex, z.output<typeof contractCall>>()

export const toHash = (text: string): Hex => hex.parse(`0x${sha256(text)}`)

const unsigned = z.object({
  sender: address,
  nonce: z.number(),
  fee: z.string().transform(it => BigInt(it)),
  call: z.object({
    to: address.optional(),
    data: hex,
    value: z.string().transform(it => BigInt(it)),
    gas: z.string().transform(it => BigInt(it)),
  }),
})

export const toSigned = ({ sender, nonce, fee, call }: Omit<Tx, 'hash'>): SignedTransaction => {
  const raw = toHex({ sender, nonce, fee: String(fee), call: { ...call, value: String(call.value), gas: String(call.gas) } })
  return { raw, hash: toHash(raw), nonce }
}

export const fromRaw = (raw: Hex): Tx => {
  const { sender, nonce, fee, call } = unsigned.parse(fromHex(raw))
  const complete: Call = { to: call.to, data: call.data, value: call.value, gas: call.gas }
  return { hash: toHash(raw), sender, nonce, fee, call: complete }
}
