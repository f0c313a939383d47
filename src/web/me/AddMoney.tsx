import { useCopy } from '../parts/basics.tsx'
import { CheckIcon, CopyIcon } from '../parts/icons.tsx'

/** The address to which the user sends money. */
export const AddMoney = ({ address, chain }: { address: string; chain: string }) => {
  const [isCopied, copy] = useCopy()
  return (
    <details>
      <summary class="btn small">Add money</summary>
      <p class="s after">
        Send USDC on {chain} to this address, and nothing else. It pays for jobs you said yes to, and otherwise only you can
        withdraw it.
      </p>
      <p class="row wrap">
        <code class="mono break">{address}</code>
        <button type="button" class="btn small" onClick={() => copy(address)}>
          {isCopied ? <CheckIcon /> : <CopyIcon />} {isCopied ? 'Copied' : 'Copy'}
        </button>
      </p>
    </details>
  )
}
