import { useState } from 'hono/jsx/dom'
import { maxDecimals, parseUsdc } from '../../domain/money/money.ts'
import { Refused } from '../client/api.ts'
import { useReach, useWork } from '../client/reach.ts'
import type { Agent, Offering } from '../client/shapes.ts'
import { t } from '../client/words.ts'
import { Tile } from '../market/Tile.tsx'
import { Button, Notice } from '../parts/basics.tsx'
import { type Draft, draftOf, putIn, toOffering } from './draft.ts'
import { EditorFields, type Faults } from './EditorFields.tsx'
import { readSchema } from './schemaFault.ts'

type EditorProps = { agent: Agent; offering: Offering | undefined; saved(): void; leave(): void }

export const OfferingEditor = ({ agent, offering, saved, leave }: EditorProps) => {
  const { api } = useReach()
  const work = useWork()
  // The offering as it was opened, to detect a concurrent change.
  const [base] = useState(offering)
  const [draft, setDraft] = useState(draftOf(offering))
  const [refused, setRefused] = useState<Faults>({})
  const change = (changed: Partial<Draft>) => {
    setRefused({})
    setDraft({ ...draft, ...changed })
  }
  const made = toOffering(draft, base)
  const faults = {
    price: priceFault(draft.price),
    requirement: readSchema(draft.requirement).fault,
    deliverable: readSchema(draft.deliverable).fault,
  }
  const path = `/agents/${encodeURIComponent(agent.agent_id)}`
  const publish = async () => {
    const { value: standing, tag } = await api.getTagged<Agent>(path)
    try {
      await api.put(path, { job_offerings: putIn(standing.job_offerings, made, base) }, tag)
      saved()
    } catch (error) {
      if (isLate(error)) throw new Error(t(lateWords))
      const fault = faultOf(error)
      if (!fault) throw error
      setRefused(fault)
    }
  }
  const send = (event: Event) => {
    event.preventDefault()
    if (Object.values(faults).some(it => it !== undefined)) return
    setRefused({})
    work.run(publish)
  }
  return (
    <form class="editor" onSubmit={send} aria-label={offering ? t('Edit offering') : t('New offering')}>
      <div class="stack">
        <EditorFields draft={draft} change={change} faults={{ ...refused, ...faults }} />
        {work.error && <Notice kind="error">{work.error}</Notice>}
        <div class="row">
          <Button
            type="submit"
            class="btn main"
            disabled={work.busy || !draft.name.trim()}
            words={offering ? t('Save') : t('Publish')}
          />
          <Button class="link" onClick={leave} words={t('Cancel')} />
        </div>
      </div>
      <Preview agent={agent} made={made} price={draft.price} />
    </form>
  )
}

const Preview = ({ agent, made, price }: { agent: Agent; made: Offering; price: string }) => (
  <section class="preview" aria-label={t('As buyers see it')}>
    <p class="label">{t('As buyers see it')}</p>
    <ul>
      <Tile
        offer={{
          agent_id: agent.agent_id,
          agent_handle: agent.handle,
          agent_name: agent.name,
          offering_id: made.id,
          name: made.name || t('Without a name'),
          description: made.description,
          price,
          sla_minutes: made.sla_minutes,
          reputation: agent.reputation,
          tags: made.tags,
          sample: made.sample,
          main: made.main,
        }}
      />
    </ul>
  </section>
)

const priceFault = (price: string): string | undefined =>
  parseUsdc(price.trim(), maxDecimals) === undefined ? t('A price is a number such as 0.10.') : undefined

/** Whether another change was saved between our read and our write. */
const isLate = (error: unknown) => error instanceof Refused && error.code === 'precondition-failed'
const lateWords =
  'This agent was changed elsewhere at the same time, so nothing was saved. What you wrote is still here: check it and save again.'

const members: Record<string, keyof Draft> = {
  name: 'name',
  description: 'description',
  sla_minutes: 'sla',
  requirement: 'requirement',
  deliverable: 'deliverable',
  examples: 'examples',
}

/** Returns the field and text of a refusal; undefined if it concerns no field. */
const faultOf = (error: unknown): Faults | undefined => {
  if (!(error instanceof Refused)) return undefined
  const [, member = '', place = ''] = /^\/job_offerings\/\d+\/?([^/]*)\/?(.*)$/.exec(error.pointer) ?? []
  const field = error.code === 'invalid-price' ? 'price' : members[member]
  return field && { [field]: `${error.message}${place && ` (${place.replaceAll('/', ' › ')})`}` }
}
