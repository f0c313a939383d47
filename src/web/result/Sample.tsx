import { useState } from 'hono/jsx/dom'
import { useEffect } from '../client/effects.ts'
import { toDay, toLabel } from '../client/format.ts'
import { Face } from '../parts/Face.tsx'
import { quoted } from '../parts/strangers.tsx'
import { type Drawn, kindOf, pictureTypes } from './kinds.ts'
import { toHeadline, toValue } from './values.ts'

type SampleProps = { sample: string; main: string; fallback: string; id: string }

/** A small preview of the provider's sample; without one, the agent's picture. */
export const Sample = ({ sample, main, fallback, id }: SampleProps) => (
  <div class="sample" aria-hidden="true">
    {sample ? (
      <div class="paper">
        <Small work={kindOf(sample)} main={main} />
      </div>
    ) : (
      <div class="paper bare" title={fallback}>
        <Face id={id} size={56} />
      </div>
    )}
  </div>
)

const Small = ({ work, main }: { work: Drawn; main: string }) => {
  if (work.kind === 'picture') return <SmallPicture picture={work} />
  if (work.kind === 'rows') return <SmallRows rows={work.rows} main={main} />
  if (work.kind === 'table')
    return (
      <SmallPairs pairs={work.rows.slice(0, 4).map(row => work.columns.slice(0, 2).map(it => toValue(row[it] ?? null, it)))} />
    )
  if (work.kind === 'chart') return <SmallPairs pairs={work.points.slice(0, 4).map(it => [it.at, toValue(it.value)])} />
  if (work.kind === 'calendar' && work.entries[0]) return <SmallEntry entry={work.entries[0]} />
  if (work.kind === 'code')
    return (
      <pre class={work.language}>
        {work.text
          .split('\n')
          .filter(line => work.language !== 'diff' || !/^(?:=|---|\+\+\+|@@|Index)/.test(line))
          .slice(0, 5)
          .map((line, at) => (
            <span key={at} class={/^\+(?!\+)/.test(line) ? 'add' : /^-(?!-)/.test(line) ? 'cut' : undefined}>
              {line.slice(0, 60)}
              {'\n'}
            </span>
          ))}
      </pre>
    )
  if (work.kind === 'markdown' || work.kind === 'text') return <Lines text={work.text} />
  if (work.kind === 'list') return <Lines text={work.items.map(it => toValue(it)).join('\n')} />
  if (work.kind === 'plain') return <b class="sample-big">{toValue(work.value)}</b>
  return null
}

const Lines = ({ text }: { text: string }) => {
  const [first = '', ...more] = text
    .replace(/[#*`>]/g, '')
    .split('\n')
    .map(it =>
      it
        .trim()
        .replace(/^\||\|$/g, '')
        .replace(/\s*\|\s*/g, ' · ')
        .trim(),
    )
    .filter(it => /[\p{L}\p{N}]/u.test(it))
  return (
    <>
      <b>{quoted(first, 60)}</b>
      {more.slice(0, 4).map((line, at) => (
        <p key={at}>{quoted(line, 120)}</p>
      ))}
    </>
  )
}

type Entry = Extract<Drawn, { kind: 'calendar' }>['entries'][number]

const SmallEntry = ({ entry: { name, at, place } }: { entry: Entry }) => {
  const [day = '', time = ''] = at.split('T')
  const noon = Date.parse(`${day}T12:00`)
  return (
    <>
      {!Number.isNaN(noon) && (
        <b class="sample-big">
          {toDay(noon)} <small>{time}</small>
        </b>
      )}
      <Lines text={`${name}\n${place}`} />
    </>
  )
}

const SmallPairs = ({ pairs }: { pairs: (string | undefined)[][] }) => (
  <dl class="sample-pairs">
    {pairs.map(([name = '', value = ''], at) => (
      <div key={at}>
        <dt>{quoted(name, 36)}</dt>
        <dd>{quoted(value, 28)}</dd>
      </div>
    ))}
  </dl>
)

const SmallRows = ({ rows, main }: { rows: Extract<Drawn, { kind: 'rows' }>['rows']; main: string }) => {
  const block = rows.find(it => ['picture', 'markdown', 'code', 'table', 'text', 'calendar'].includes(it.value.kind))
  const large = rows.find(it => it.name === main)
  if (block && block.value.kind !== 'rows' && large?.value.kind !== 'plain') return <Small work={block.value} main="" />
  const head = large?.value.kind === 'plain' ? toHeadline(large.value.value, main) : undefined
  const others = rows.flatMap(({ name, value }) =>
    value.kind === 'plain' && name !== main ? [[toLabel(name), toValue(value.value, name)]] : [],
  )
  return (
    <>
      {head && (
        <b class="sample-big">
          {quoted(head.large, 24)} <small>{head.beside}</small>
        </b>
      )}
      <SmallPairs pairs={others.slice(0, head ? 2 : 4)} />
    </>
  )
}

const SmallPicture = ({ picture: { type, source } }: { picture: Extract<Drawn, { kind: 'picture' }> }) => {
  const [url, setUrl] = useState('')
  useEffect(() => {
    if (type !== 'svg' || !source.startsWith('<')) return
    const made = URL.createObjectURL(new Blob([source], { type: pictureTypes.svg }))
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [source])
  return url ? <img src={url} alt="" /> : null
}
