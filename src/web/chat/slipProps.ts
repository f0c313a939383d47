import type { Proposal } from '../../domain/proposal.ts'

/** What a slip is given. */
export type SlipProps = {
  proposal: Proposal
  runId: string
  /** Terms of this run that these replaced. */
  before: Proposal | undefined
  /** Whether an answer is heard yet. */
  isReady: boolean
  /** Something is about to be answered here. */
  onAnswering(): void
  /** Something was answered here. */
  onAnswered(): void
  say(text: string, digest?: string): Promise<void>
  /** The same task, from the beginning. */
  askAgain(): Promise<void>
}
