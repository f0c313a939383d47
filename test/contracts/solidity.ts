import { readFile } from 'node:fs/promises'
import { type Address, concat, type Hex, pad } from 'viem'
import { compileSources } from './compileOnce.ts'
import { people, type World } from './world.ts'

const names = ['ExactPermit2Proxy', 'HostileToken', 'MaskingRelay', 'PlainUsdc', 'SmartWallet'] as const
export type TestContract = (typeof names)[number]

/** Compiles all test contracts at once; returns their creation code by name. */
export const compileTestContracts = async (): Promise<(name: TestContract) => Hex> => {
  const sources = Object.fromEntries(
    await Promise.all(
      names.map(async name => {
        const content = await readFile(new URL(`solidity/${name}.sol`, import.meta.url), 'utf8')
        return [`${name}.sol`, { content }] as const
      }),
    ),
  )
  const compiled = await compileSources(sources)
  return name => {
    const contract = compiled[`${name}.sol`]?.[name]
    if (!contract) throw new Error(`${name}.sol holds no contract ${name}`)
    return `0x${contract.evm.bytecode.object}`
  }
}

/** Deploys creation code whose constructor has one address argument or none. */
export const deployCode = async ({ chain, mined }: World, code: Hex, argument?: Address): Promise<Address> => {
  const data = argument ? concat([code, pad(argument)]) : code
  const { contractAddress } = await mined(chain.sendTransaction({ data, account: people.deployer }))
  if (!contractAddress) throw new Error('nothing was deployed')
  return contractAddress
}
