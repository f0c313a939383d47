import { permit2Address } from '../../domain/x402/x402.ts'
import { testPermit2Bytecode } from '../contracts/artifacts/TestPermit2.ts'
import { testUptoProxyBytecode } from '../contracts/artifacts/TestUptoProxy.ts'
import { uptoProxy } from '../signing/proxies.ts'
import type { Ask } from './devnode/ask.ts'

/** Contracts of others that clients of x402 expect at these addresses, with the creation code of their stand-ins. */
const standins = [
  [permit2Address, testPermit2Bytecode],
  [uptoProxy, testUptoProxyBytecode],
] as const

/** Places the contracts that are missing. It sends no transaction, so that it may come before the replay of the journal. */
export const placeStandins = async (ask: Ask): Promise<void> => {
  for (const [address, creation] of standins) {
    if ((await ask('eth_getCode', address, 'latest')) !== '0x') continue
    // Creation code returns the code to be stored.
    const code = await ask('eth_call', { data: creation }, 'latest')
    await ask('anvil_setCode', address, code)
  }
}
