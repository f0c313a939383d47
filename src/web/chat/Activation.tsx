import { useState } from 'hono/jsx/dom'
import { chainName } from '../client/format.ts'
import { useLoaded, useReach, useWork } from '../client/reach.ts'
import type { Butler, Health } from '../client/wire.ts'
import { Notice, textOf } from '../parts/basics.tsx'

/** The butler works on the chain that its user chooses; asked once. */
export const Activation = () => {
  const { api } = useReach()
  const butler = useLoaded<Butler>('/butler')
  const health = useLoaded<Health>(butler.status === 404 ? '/health' : undefined)
  const [chosen, setChosen] = useState<string | undefined>(undefined)
  const work = useWork()
  const chains = health.value?.chains ?? []
  const chainId = Number(chosen ?? chains[0]?.chain_id)
  if (butler.status !== 404 || chains.length === 0) return null
  const activate = () =>
    work.run(async () => {
      await api.post('/butler/activate', { chain_id: chainId })
      butler.reload()
    })
  return (
    <section class="card stack" aria-labelledby="activate">
      <h2 id="activate">Activate your butler</h2>
      <p class="quiet">Choose the chain that it hires and pays on. You can add others later.</p>
      <div class="row">
        <label class="unseen" for="chain">
          Chain
        </label>
        <select id="chain" class="narrow" onChange={event => setChosen(textOf(event))}>
          {chains.map(it => (
            <option key={it.chain_id} value={String(it.chain_id)}>
              {chainName(it)}
            </option>
          ))}
        </select>
        <button type="button" class="primary" disabled={work.busy} onClick={activate}>
          Activate
        </button>
      </div>
      {work.error && <Notice kind="error">{work.error}</Notice>}
    </section>
  )
}
