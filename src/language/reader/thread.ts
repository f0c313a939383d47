import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { minuteMs, secondMs } from '../../domain/durations.ts'
import type { Model } from '../../ports.ts'

type Method = 'understand' | 'choose' | 'fill'
export type Question = { method: Method; of: unknown[] }
/** `json` is the answer as JSON text; empty once the thread has started. */
export type Answered = { json: string } | { error: string }

/** How long one answer may take, in ms, without the time until its turn. */
const answerMs = 2 * secondMs
/** How long a thread may take to start: it loads dictionaries. */
const startMs = 20 * secondMs
/** Questions that wait. Each may take `answerMs`, so a user would wait too long behind more. */
const maxWaiting = 8
/** A thread that was not asked for this long ends, because it needs about 100 MB. */
const idleMs = 10 * minuteMs

/** Thrown when an answer takes too long, or too many questions wait. */
export class NotInTime extends Error {}

type Asked = { question: Question; take(json: string): void; reject(error: unknown): void }
/** A thread that has started or is starting, and what it was asked. */
type Running = { worker: Worker; isReady: boolean; asked?: Asked | undefined; timer?: NodeJS.Timeout | undefined }

const startWorker = (dir: string | undefined): Worker =>
  // Without the flags of the process: a module that they preload may work only in the main thread.
  new Worker(new URL(`./rulesThread${extname(import.meta.url)}`, import.meta.url), { workerData: dir, execArgv: [] })

const setEnd = (it: Running, ms: number, end: (error: NotInTime) => void) => {
  clearTimeout(it.timer)
  it.timer = setTimeout(end, ms, new NotInTime()).unref()
}

export type ThreadOptions = { dir?: string | undefined; maxMs?: number }

/** Creates a thread that answers one question at a time. It starts with the first question and ends when it is idle. */
export const createThread = ({ dir, maxMs = answerMs }: ThreadOptions) => {
  const waiting: Asked[] = []
  let running: Running | undefined

  const end = (error: unknown) => {
    const ended = running
    running = undefined
    clearTimeout(ended?.timer)
    void ended?.worker.removeAllListeners().terminate()
    ended?.asked?.reject(error)
    // A thread that could not start would not start for the next question either.
    if (ended && !ended.isReady) for (const { reject } of waiting.splice(0)) reject(new NotInTime())
    if (waiting.length > 0) advance()
  }
  const start = (): Running => {
    const started: Running = { worker: startWorker(dir), isReady: false }
    // A listener for messages refs the worker, so it is unref'd after that: an idle thread must not keep the process running.
    started.worker.on('message', (said: Answered) => receive(started, said)).once('error', end)
    started.worker.unref()
    setEnd(started, startMs, end)
    return started
  }
  const advance = () => {
    running ??= start()
    if (running.isReady && !running.asked) {
      running.asked = waiting.shift()
      setEnd(running, running.asked ? maxMs : idleMs, end)
      if (running.asked) running.worker.postMessage(running.asked.question)
    }
    // A process that waits for an answer must not end before it.
    if (running.asked || waiting.length > 0) running.worker.ref()
    else running.worker.unref()
  }
  const receive = (it: Running, said: Answered) => {
    const { asked } = it
    it.isReady = true
    it.asked = undefined
    if ('json' in said) asked?.take(said.json)
    else asked?.reject(new Error(said.error))
    advance()
  }
  return {
    isReady: () => {
      running ??= start()
      return running.isReady
    },
    /**
     * Asks a function of the rules.
     * @throws NotInTime
     */
    ask: <M extends Method>(method: M, ...of: Parameters<Model[M]>): Promise<Awaited<ReturnType<Model[M]>>> =>
      new Promise((resolve, reject) => {
        if (waiting.length >= maxWaiting) return reject(new NotInTime())
        waiting.push({ question: { method, of }, take: json => resolve(JSON.parse(json)), reject })
        advance()
      }),
  }
}
