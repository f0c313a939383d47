import { isFinal } from '../../domain/jobs/job.ts'
import { type JsonObject, jsonObject, parseJson } from '../../domain/json.ts'
import type { Stage, TurnAct } from '../../domain/runs/acts.ts'
import { proposal } from '../../domain/runs/proposal.ts'
import type { Choice } from '../../domain/runs/question.ts'
import { tellLanguage } from '../../language/words/language.ts'
import type { ClaimedRun, Job, Run } from '../../ports.ts'
import type { Deps } from '../operation.ts'

type Before = { agentId: string; offeringId: string; input: JsonObject; said: string[] }
type Recalled = {
  situation: { stage: Stage; hasJob: boolean; hasEnded: boolean }
  before: Before | undefined
  offers: Choice[]
  wasDeclined: boolean
  /** The offers are only the nearest ones, named where nothing fitted. */
  isNearest?: boolean
  /** The language of the newest earlier request that tells one. */
  language?: string
  timeZone?: string
}

/** Key of the record that holds the time zone of a run's user. */
export const zoneKey = 'time-zone'
const isZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    // A newer client knows zones that are not known here.
    return false
  }
}

const maxRecalled = 12
const turning: readonly (TurnAct | undefined)[] = ['task', 'answer', 'change', 'pick', 'no', 'mandates', 'pay', undefined]

/** Reads the runs and jobs of a conversation that a new message can refer to. @throws RangeError when the run does not exist */
export const recall = async ({ store }: Pick<Deps, 'store'>, runId: string, known?: ClaimedRun): Promise<Recalled> => {
  const run = known ?? (await store.run(runId))
  if (!run) throw new RangeError(`no run ${runId}`)
  const [latest, zone] = await Promise.all([
    known?.isAlone ? [] : store.latestRuns(run.conversationId, run.user, maxRecalled),
    known?.inputs ? known.inputs.get(zoneKey) : store.runInput(run.id, zoneKey),
  ])
  const runs = latest.filter(it => it.id !== run.id)
  // A conversation without another run has no earlier job.
  const [hired = [], bought = []] =
    runs.length === 0
      ? []
      : await Promise.all([
          store.jobsOfConversation(run.conversationId, run.user, maxRecalled),
          store.purchasesOfConversation?.(run.conversationId, run.user, 1),
        ])
  const jobs = hired.filter(it => it.runId !== run.id)
  const last = runs.find(it => it.jobId !== undefined || it.choices?.length || turning.includes(it.act))
  const [language] = runs.flatMap(it => tellLanguage(it.task) ?? [])
  const situation = {
    stage: stageOf(last),
    hasJob: jobs.some(it => !isOver(it)),
    hasEnded: jobs.some(isOver) || bought.length > 0,
  }
  return {
    situation,
    before: last && (await beforeOf(store, last, jobs)),
    offers: last?.choices ?? [],
    wasDeclined: runs[0]?.act === 'declined',
    ...(language !== undefined && { language }),
    ...(zone?.kind === 'answer' && isZone(zone.text) && { timeZone: zone.text }),
    ...(last?.act === 'none' && last.jobId === undefined && { isNearest: true }),
  }
}

/** To the user a job has ended once it was judged, even while its payment or refund is pending. */
const isOver = ({ state }: Job) => isFinal(state) || state === 'settling' || state === 'rejected' || state === 'expired'

const stageOf = (last: Run | undefined): Stage => {
  if (!last || last.jobId !== undefined) return 'none'
  if (last.act === 'mandates') return 'mandates'
  if (!last.choices?.length) return 'none'
  return last.act === 'no' ? 'left' : 'offers'
}

const beforeOf = async (store: Deps['store'], last: Run, jobs: Job[]): Promise<Before | undefined> => {
  const job = jobs.find(it => it.runId === last.id)
  if (job) return { agentId: job.agentId, offeringId: job.terms.offeringId, input: readInput(job.terms.input), said: [last.task] }
  const [only] = last.choices ?? []
  if (!only) return undefined
  return { agentId: only.agent_id, offeringId: only.offering_id, input: await proposedInput(store, last), said: [last.task] }
}

const proposedInput = async (store: Deps['store'], { id, lastSeq }: Run): Promise<JsonObject> => {
  const events = await store.runEvents(id, Math.max(0, lastSeq - 200), 200)
  const read = proposal.safeParse(events.findLast(it => it.kind === 'proposed')?.data.proposal)
  return read.success ? readInput(read.data.input) : {}
}

export const readInput = (text: string): JsonObject => jsonObject.safeParse(parseJson(text)).data ?? {}
