import type { PropsWithChildren } from 'hono/jsx'
import { useState } from 'hono/jsx/dom'
import type { Proposal } from '../../domain/proposal.ts'
import { toDuration, toUsdc } from '../client/format.ts'
import { useReach, useService, useWork } from '../client/reach.ts'
import type { Run, RunEvent } from '../client/wire.ts'
import { tookMs } from '../hire/steps.ts'
import { Link, useCopy } from '../parts/basics.tsx'
import { Face } from '../parts/Face.tsx'
import { CheckIcon, CopyIcon, DownloadIcon, RawIcon, ShieldIcon } from '../parts/icons.tsx'
import { download, Fenced, Quoted } from '../parts/strangers.tsx'
import { toCsv } from './csv.ts'
import { type Drawn, kindOf } from './kinds.ts'
import { kilobytes } from './Picture.tsx'
import { Work } from './Work.tsx'

type ResultProps = PropsWithChildren<{ run: Run; agreed: Proposal | undefined; events: RunEvent[] }>

/** A deliverable, displayed by its kind. @param children actions shown below it */
export const Result = ({ run, agreed, events, children }: ResultProps) => {
  const job = run.job
  const [whole, setWhole] = useState<string | undefined>(undefined)
  const [isRaw, setRaw] = useState(false)
  const service = useService(agreed?.agentId ?? job?.agent_id ?? '', agreed?.offeringId ?? '')
  if (!job) return null
  const text = whole ?? job.deliverable
  const agent = agreed?.agentName ?? 'the agent'
  const work = kindOf(text)
  const took = tookMs(events)
  return (
    <article class="result new" aria-label={`Result from ${agent}`}>
      <header>
        <Face id={job.agent_id} size={28} />
        <b class="grow">
          From <Quoted text={agent} chars={60} />
        </b>
        {text && <Tools text={text} work={work} isRaw={isRaw} setRaw={setRaw} name={fileName(run)} />}
      </header>
      <div class="body">
        {!text && job.deliverable_chars > 0 && <Unfetched run={run} set={setWhole} />}
        {text &&
          (isRaw ? (
            <Fenced text={text} name={fileName(run)} />
          ) : (
            <Work work={work} main={service?.main ?? ''} name={nameOf(agreed)} />
          ))}
      </div>
      <footer>
        {run.verdict?.pass !== false && (
          <span class="ok">
            <CheckIcon /> Checked
          </span>
        )}
        <span class="num">{Number(job.amount) > 0 ? `${toUsdc(job.amount)} USDC paid` : 'It cost nothing'}</span>
        {took !== undefined && <span class="num">{toDuration(took)}</span>}
        <Link to={`/app/runs/${run.run_id}`} class="link">
          Receipt
        </Link>
        {children}
        <span class="by">
          <ShieldIcon />
          <span>
            Written by <Quoted text={agent} chars={60} />. We checked its form, not its truth.
          </span>
        </span>
      </footer>
    </article>
  )
}

const fileName = (run: Run) => `result-${run.run_id.slice(-8)}`
const nameOf = (agreed: Proposal | undefined) => agreed?.offeringName.replace(/[^\p{L}\p{N} -]/gu, '').slice(0, 60) || 'result'

/** A button that loads a long deliverable. */
const Unfetched = ({ run, set }: { run: Run; set(text: string): void }) => {
  const { api } = useReach()
  const work = useWork()
  const fetchIt = () => work.run(async () => set((await api.get<Run>(`/runs/${run.run_id}`)).job?.deliverable ?? ''))
  return (
    <div class="row linkbox">
      <span class="grow">
        <b>A long result</b>
        <br />
        <span class="q s">{kilobytes(run.job?.deliverable_chars ?? 0)}, not loaded yet</span>
      </span>
      <button type="button" class="btn small" disabled={work.busy} onClick={fetchIt}>
        Show it
      </button>
      {work.error && <span role="alert">{work.error}</span>}
    </div>
  )
}

type ToolsProps = { text: string; work: Drawn; isRaw: boolean; setRaw(it: boolean): void; name: string }

/** Returns the text, file name extension and media type of a downloaded result. */
const fileOf = (text: string, work: Drawn): { text: string; ending: string; type: string } => {
  if (work.kind === 'picture' && work.type === 'svg' && work.source.startsWith('<'))
    return { text: work.source, ending: 'svg', type: 'image/svg+xml' }
  if (work.kind === 'markdown') return { text: work.text, ending: 'md', type: 'text/markdown' }
  if (work.kind === 'calendar') return { text: work.source, ending: 'ics', type: 'text/calendar' }
  if (work.kind === 'file') return { text: work.source, ending: work.type, type: 'text/plain' }
  const isJson = /^\s*[{[]/.test(text)
  return { text, ending: isJson ? 'json' : 'txt', type: isJson ? 'application/json' : 'text/plain' }
}

const Tools = ({ text, work, isRaw, setRaw, name }: ToolsProps) => {
  const [isCopied, copy] = useCopy()
  const file = fileOf(text, work)
  const table = work.kind === 'chart' ? work.table : work
  return (
    <span class="tools">
      {'columns' in table && (
        <button
          type="button"
          class="btn small"
          onClick={() => download({ text: toCsv(table), name: `${name}.csv`, type: 'text/csv' })}
        >
          <DownloadIcon /> CSV
        </button>
      )}
      <button
        type="button"
        class="icon-btn"
        aria-label={isCopied ? 'Copied' : 'Copy the result'}
        title="Copy"
        onClick={() => copy(file.text)}
      >
        {isCopied ? <CheckIcon /> : <CopyIcon />}
      </button>
      <button
        type="button"
        class="icon-btn"
        aria-label="Download the result"
        title="Download"
        onClick={() => download({ text: file.text, name: `${name}.${file.ending}`, type: file.type })}
      >
        <DownloadIcon />
      </button>
      <button
        type="button"
        class="icon-btn"
        aria-label="Show it as it came"
        title="As it came"
        aria-pressed={isRaw ? 'true' : 'false'}
        onClick={() => setRaw(!isRaw)}
      >
        <RawIcon />
      </button>
    </span>
  )
}
