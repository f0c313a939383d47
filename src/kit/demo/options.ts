import type { AgentOptions } from '../kit.ts'

/** What whoever runs a demo agent decides; the agent knows the rest. */
export type DemoOptions = Pick<
  AgentOptions,
  'platformUrl' | 'gatewayUrl' | 'credential' | 'chainId' | 'host' | 'port' | 'log' | 'pollPauseMs' | 'retryPauseMs'
>
