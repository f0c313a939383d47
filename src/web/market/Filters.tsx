import type { ServicesRecord as Services } from '../../records/service.ts'
import { toLabel } from '../client/format.ts'
import { t, type Words } from '../client/words.ts'
import { Select } from '../parts/LineForm.tsx'
import { quoted } from '../parts/strangers.tsx'
import type { MarketQuery } from './query.ts'

type FiltersProps = {
  look: MarketQuery
  tags: { tags: Services['tags']; total: number }
  words: string
  change(changed: Partial<MarketQuery>): void
}

const prices = [
  ['', 'Any price'],
  ['0', 'Free'],
  ['0.1', 'Up to 0.10'],
  ['1', 'Up to 1.00'],
  ['10', 'Up to 10.00'],
] as const
const sorts = [
  ['', 'Best fit'],
  ['price', 'Price'],
  ['speed', 'Speed'],
  ['jobs', 'Most jobs'],
  ['newest', 'Newest'],
] as const

export const Filters = ({ look, tags: { tags, total }, words, change }: FiltersProps) => (
  <>
    {tags.length > 0 && (
      <fieldset class="chips slide">
        <legend class="vh">{t('Category')}</legend>
        <Chip name={t('All')} count={total} isOn={!look.tag} pick={() => change({ tag: '' })} />
        {tags.map(it => (
          <Chip
            key={it.tag}
            name={toLabel(it.tag)}
            count={it.count}
            isOn={look.tag === it.tag}
            pick={() => change({ tag: look.tag === it.tag ? '' : it.tag })}
          />
        ))}
      </fieldset>
    )}
    <div class="mtools">
      <span class="q s" role="status">
        {words}
      </span>
      <span class="grow" />
      <label class="switch">
        <input
          type="checkbox"
          checked={look.online}
          onChange={({ target }: Event) => change({ online: target instanceof HTMLInputElement && target.checked })}
        />
        {t('Online now')}
      </label>
      <Narrow name="Price" value={look.price} options={prices} pick={price => change({ price })} />
      <Narrow name="Sort by" value={look.sort} options={sorts} pick={sort => change({ sort })} />
    </div>
  </>
)

type NarrowProps = { name: Words; value: string; options: readonly (readonly [string, Words])[]; pick(value: string): void }

const Narrow = ({ name, value, options, pick }: NarrowProps) => (
  <label class="row s">
    <span class="q only-wide">{t(name)}</span>
    <Select
      class="in small"
      aria-label={t(name)}
      options={options.map(([it, words]) => [it, t(words)])}
      chosen={value}
      set={pick}
    />
  </label>
)

const Chip = ({ name, count, isOn, pick }: { name: string; count: number; isOn: boolean; pick(): void }) => (
  <button type="button" class="chip" aria-pressed={isOn ? 'true' : 'false'} onClick={pick}>
    {quoted(name, 40)} <small class="num">{count}</small>
  </button>
)
