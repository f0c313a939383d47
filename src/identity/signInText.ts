import { createSiweMessage } from 'viem/siwe'
import { getAddress } from 'viem/utils'
import type { Address } from '../domain/hex.ts'

type Said = { wallet: Address; chainId: number; statement: string; nonce: string; at: number; resources?: string[] }

/** A sign-in text that is valid for this service only (EIP-4361). `at` is in epoch ms. */
export const signInText = (publicUrl: string, { wallet, at, resources, ...said }: Said): string =>
  createSiweMessage({
    ...said,
    domain: new URL(publicUrl).host,
    address: getAddress(wallet),
    uri: publicUrl,
    version: '1',
    issuedAt: new Date(at),
    ...(resources && { resources }),
  })
