import type { HealthRecord as Health } from '../../records/health.ts'
import { toShort } from '../client/format.ts'
import { useLoaded } from '../client/reach.ts'
import { OutIcon } from '../parts/icons.tsx'

/** Returns the URL of a chain's block explorer; undefined for a local chain, or while it is unknown. */
export const useExplorer = (chainId: number | undefined): string | undefined => {
  const { value } = useLoaded<Health>('/health')
  return value?.chains.find(it => it.chain_id === chainId)?.explorer
}

/** A transaction by its hash, linked to the block explorer on public chains. */
export const Transaction = ({ hash, explorer }: { hash: string; explorer: string | undefined }) => {
  if (!hash) return null
  return explorer ? (
    <a class="mono" href={`${explorer}/tx/${hash}`} target="_blank" rel="noreferrer noopener" title={hash}>
      {toShort(hash)} <OutIcon />
    </a>
  ) : (
    <code title={hash}>{toShort(hash)}</code>
  )
}
