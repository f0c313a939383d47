import type { Proposal } from '../../domain/proposal.ts'
import { gainOf, promiseOf } from '../hire/promises.ts'
import { Quoted } from '../parts/strangers.tsx'

/** What the user gets, and until when. */
export const SlipPromise = ({ proposal }: { proposal: Proposal }) => (
  <>
    <div class="slip-line">
      <span>You get</span>
      <b class="clip2">
        <Quoted text={gainOf(proposal)} chars={200} />
      </b>
    </div>
    <div class="slip-line">
      <span>When</span>
      <span>{promiseOf(proposal, undefined)}</span>
    </div>
  </>
)
