import { hashMessage, hashTypedData, isAddress, keccak256, type LocalAccount, serializeTransaction, size, slice } from 'viem'
import { z } from 'zod'
import type { Address, Hex } from '../../domain/hex.ts'
import type { NewSignature, Tables, WalletRole } from '../../ports.ts'
import { lower } from '../rpc/checksum.ts'
import type { Grant } from './clientGate.ts'
import { SigningRefused } from './signerPolicy.ts'

export type KeyAccount = Pick<LocalAccount, 'address' | 'signTransaction' | 'signTypedData' | 'signMessage'>

type Signing = { address: Address; role: WalletRole; account: KeyAccount; grant: Grant | undefined }

const typedData = z.looseObject({
  primaryType: z.string(),
  domain: z.looseObject({ chainId: z.coerce.number().optional(), verifyingContract: z.string().optional() }).optional(),
  message: z.looseObject({ value: z.bigint().optional() }),
})

/**
 * Wraps a key so that every signature is recorded before it is made.
 * @throws SigningRefused when the amount of 24 hours would exceed that of the grant
 */
export const recorded = (book: Pick<Tables, 'recordSignature'>, { address, role, account, grant }: Signing): KeyAccount => {
  const note = async (of: Omit<NewSignature, 'wallet' | 'role' | 'reference'>) => {
    const signature = { ...of, wallet: address, role, reference: grant?.reference }
    if (!(await book.recordSignature(signature, grant)))
      throw new SigningRefused(`${address} would commit more than it may in 24 hours`)
  }

  const signTypedData: KeyAccount['signTypedData'] = async definition => {
    const { primaryType, domain, message } = typedData.parse(definition)
    const contract = toContract(domain?.verifyingContract)
    const of = { chainId: domain?.chainId ?? 0, contract, selector: primaryType, amount: message.value ?? 0n }
    await note({ ...of, kind: 'typed-data', digest: hashTypedData(definition) })
    return account.signTypedData(definition)
  }

  return {
    address: account.address,
    async signTransaction(transaction, ...rest) {
      const { chainId = 0, to, data = '0x', value = 0n } = transaction
      const digest = keccak256(serializeTransaction(transaction))
      await note({ kind: 'transaction', chainId, contract: toContract(to), selector: selectorOf(data), amount: value, digest })
      return account.signTransaction(transaction, ...rest)
    },
    signTypedData,
    async signMessage({ message }) {
      await note({ kind: 'text', chainId: 0, contract: undefined, selector: '', amount: 0n, digest: hashMessage(message) })
      return account.signMessage({ message })
    },
  }
}

const toContract = (to: string | null | undefined): Address | undefined =>
  to && isAddress(to, { strict: false }) ? lower(to) : undefined

const selectorOf = (data: Hex): string => (size(data) < 4 ? data : slice(data, 0, 4))
