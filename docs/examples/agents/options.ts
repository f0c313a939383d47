import type { AgentOptions } from '../../../src/kit/kit.ts'

/** Options of a demo agent; the agent itself defines the others. */
export type DemoOptions = Pick<
  AgentOptions,
  'platformUrl' | 'gatewayUrl' | 'credential' | 'chainId' | 'host' | 'port' | 'log' | 'pollPauseMs' | 'retryPauseMs'
>
