import { minuteMs } from '../domain/durations.ts'
import type { Address } from '../domain/hex.ts'
import { sha256 } from '../domain/json.ts'
import { Problem } from '../domain/problem.ts'
import type { Store } from '../ports.ts'
import type { createCodes } from './codes.ts'
import { signInText } from './proofs.ts'
import type { Spend } from './spending.ts'
import type { createTokens } from './tokens.ts'

const sessionMs = 10 * minuteMs
const unknown = 'This authorization session is unknown or has ended; start a new one.'
const statement = 'Let this marketplace act for this wallet: your butler hires agents only after your yes to each proposal.'

type Reach = {
  codes: Awaited<ReturnType<typeof createCodes>>
  spend: Spend
  tokens: Pick<ReturnType<typeof createTokens>, 'issue'>
  store: Pick<Store, 'claimCode'>
  publicUrl: string
  chainId: number
}
type Approval = { code: string; wallet: Address; signer: Address | undefined; handOver?: boolean }

/** Sessions: a program starts one, and a person approves it with their wallet. Each of the two may get a token from it. */
export const createSessions = ({ codes, spend, tokens, store, publicUrl, chainId }: Reach) => {
  const begunAt = (code: string) => {
    const begun = codes.begunAt(code, 'session', sessionMs)
    if (begun === undefined) throw new Problem('not-found', unknown)
    return begun
  }

  return {
    begin: async () => ({ code: codes.issue('session').code }),

    messageOf: async (code: string, wallet: Address, named = chainId) =>
      signInText(publicUrl, { wallet, chainId: named, statement, nonce: code, at: begunAt(code) }),

    approve: async ({ code, wallet, signer, handOver = true }: Approval) => {
      const until = begunAt(code) + sessionMs
      if (signer !== wallet) throw new Problem('signature-mismatch')
      if (!(await spend(code, { wallet, until, claimable: handOver }))) throw new Problem('not-found', unknown)
      return tokens.issue(wallet)
    },

    claim: async (code: string) => {
      begunAt(code)
      const claimed = await store.claimCode(sha256(code))
      if (claimed === 'gone') throw new Problem('not-found', unknown)
      return claimed === 'pending' ? undefined : tokens.issue(claimed.wallet)
    },
  }
}
