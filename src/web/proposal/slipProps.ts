import type { OpenTerms } from '../../domain/x402/purchaseProposal.ts'
import type { SlipLabels } from './slipLabels.ts'

/** Properties of a proposal's components. */
export type SlipProps<Terms extends OpenTerms = OpenTerms> = {
  terms: Terms
  runId: string
  /** Earlier terms in this run that this proposal replaced. */
  before: OpenTerms | undefined
  /** What the butler says with these terms. */
  notice: string
  labels: SlipLabels
  /** Whether the run accepts an answer now. */
  isReady: boolean
  /** Called before an answer is sent. */
  onAnswering(): void
  /** Called after an answer was sent. */
  onAnswered(): void
  /** Sends a message. A repeated one with the same key has no second effect. */
  say(text: string, digest?: string, key?: string): Promise<void>
  /** Requests the same task again from the beginning. */
  askAgain(): Promise<void>
}
