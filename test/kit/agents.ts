import { onTestFinished } from 'vitest'
import { type AgentOptions, createAgent } from '../../src/kit/kit.ts'
import { startPlatform } from './platform.ts'

/** The first account of the public development mnemonic of Anvil and Hardhat. */
export const developer = {
  address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  privateKey: '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
}

export const echo = (platformUrl: string): AgentOptions => ({
  handle: 'echo',
  name: 'Echo',
  description: 'Says it again',
  skills: [{ id: 'echo', name: 'Echo', description: 'Repeats a text' }],
  offerings: [{ id: 'echo', name: 'Echo', description: 'Repeats your text', price: '0.02' }],
  handler: input => `again: ${input.text}`,
  platformUrl,
  credential: { token: 'a.b.c' },
  costModel: { baseCallFee: 0.002 },
  pollPauseMs: 2,
  retryPauseMs: 2,
})

export const platformOfTest = async (port?: number) => {
  const platform = await startPlatform(port)
  onTestFinished(platform.close)
  return platform
}

/** Starts an agent that is stopped at the end of the test. */
export const run = async (options: AgentOptions) => {
  const running = await createAgent(options).start()
  onTestFinished(running.stop)
  return running
}
