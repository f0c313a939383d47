import type { OpenTerms } from '../../domain/x402/purchaseProposal.ts'
import type { SlipLabels } from './slipLabels.ts'

export type SlipProps<Terms extends OpenTerms = OpenTerms> = {
  terms: Terms
  runId: string
  before: OpenTerms | undefined
  notice: string
  labels: SlipLabels
  isReady: boolean
  onAnswering(): void
  onAnswered(): void
  /** Sends a message. A repeated one with the same key has no second effect. */
  say(text: string, digest?: string, key?: string): Promise<void>
  /** Requests the same task again from the beginning. */
  askAgain(): Promise<void>
}
