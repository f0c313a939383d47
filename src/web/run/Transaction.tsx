import { toExplorer, toShort } from '../format.ts'
import { OutIcon } from '../parts/icons.tsx'
import { useReach } from '../reach.ts'

/** A transaction by its hash; on public chains with the place where everybody sees it. */
export const Transaction = ({ hash, chainId }: { hash: string; chainId: number }) => {
  const { local } = useReach()
  const place = toExplorer(chainId, hash, local)
  if (!hash) return null
  return place ? (
    <a class="mono" href={place} target="_blank" rel="noreferrer noopener" title={hash}>
      {toShort(hash)} <OutIcon />
    </a>
  ) : (
    <code title={hash}>{toShort(hash)}</code>
  )
}
