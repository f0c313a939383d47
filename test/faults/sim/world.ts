import { appendFileSync, copyFileSync, existsSync, rmSync } from 'node:fs'
import type { Address } from '../../../src/domain/hex.ts'
import { Problem, type ProblemName } from '../../../src/domain/problem.ts'
import type { Operation } from '../../../src/operations/operation.ts'
import { type Books, openBooks, textOf } from './books.ts'
import type { Ground } from './ground.ts'
import { isWritten } from './invariants/rows.ts'
import type { Death } from './life.ts'
import { createLog, type WorldLog } from './log.ts'
import { type Process, startProcess, type WorkerName } from './process.ts'
import { takeStrays } from './strays.ts'
import { settle, startTask, type Task } from './tasks.ts'

/** The result of a request. There is none when the response was lost with the process. */
export type Answer = { value: unknown } | { problem: ProblemName } | { broken: string }
export type Request = {
  operation: Operation
  input: unknown
  wallet?: Address | undefined
  /** The network address; undefined for a caller on the service's machine. */
  source?: string | undefined
  key?: string | undefined
  /** The header that pays (x402). */
  payment?: string | undefined
  signal?: AbortSignal
  /** Called with the response, now or much later. */
  heard?(answer: Answer): void
}

/** The service and its environment, as the schedule controls them. */
export type World = {
  ground: Ground
  log: WorldLog
  readonly process: Process
  readonly books: Books
  /** Starts a request. `go` runs it. */
  ask(request: Request): Task
  work(name: WorkerName): Task
  /** Runs started tasks until they end or wait, and restarts the process if it died. */
  go(...tasks: Task[]): Promise<void>
  /** Ends the process in a given way and starts the next one. */
  restart(how: Death): Promise<void>
  /** Lets running tasks end, as at a regular shutdown, and starts the next process. */
  stopGently(): Promise<void>
  isAdvancing(): boolean
  /** Deletes the newest checkpoint of one thread. */
  loseCheckpoint(): Promise<void>
  close(): Promise<void>
}

const hiddenOfferings = `select a.id as agent_id, o.id from offering o join agent a on a.key = o.agent_key
  where a.id is not null and (o.removed = 1 or json_extract(o.body, '$.hide'))`

/** Steps after a start within which another crash counts as one during recovery. */
const recoverySteps = 4

export const openWorld = async (ground: Ground): Promise<World> => {
  takeStrays()
  const log = createLog()
  let process = await startProcess(ground)
  let books = openBooks(ground.file)
  let steps = 0
  let startedAt = -recoverySteps
  ground.faults.isRecovering = () => steps - startedAt < recoverySteps

  ground.hidden = () => books.all(hiddenOfferings).map(it => ({ agentId: textOf(it.agent_id), offeringId: textOf(it.id) }))
  ground.chain.onAccept = hash => {
    if (!isWritten(books, hash)) log.scandals.push(`I9 ${hash} was sent before it was written down`)
  }

  const begin = (name: string, kind: Task['kind'], work: () => Promise<unknown>) =>
    startTask(name, kind, { work, failed: error => ground.errors.push({ task: undefined, text: `${name}: ${String(error)}` }) })

  const ask = ({ operation, input, wallet, source, key, payment, signal, heard }: Request): Task => {
    const { deps } = process
    const task: Task = begin(`${operation.name} ${JSON.stringify(input).slice(0, 90)}`, 'client', async () => {
      const honest = { name: operation.name, input, caller: { wallet, source, idempotencyKey: key, payment, signal } }
      const sent = (await ground.mutation?.request?.(honest, deps)) ?? honest
      const answer = await operation.call(sent.input, deps, sent.caller).then(value => ({ value }), toAnswer)
      log.noteAnswer({ operation: operation.name, input, wallet, answer, faults: task.faults })
      heard?.(answer)
    })
    return task
  }

  const work = (name: WorkerName): Task => {
    const { worker, giveBack } = process.borrowWorker(name)
    return begin(name, 'worker', async () => {
      try {
        await worker.runOnce()
        await worker.settle?.()
      } finally {
        giveBack()
      }
    })
  }

  const go = async (..._started: Task[]) => {
    steps += 1
    await settle()
    if (process.life.isOver) await revive()
  }

  const revive = async () => {
    const { how } = process.life
    ground.trace(`  process ${how}`)
    if (how === 'power lost') copyAsAfterPowerLoss(ground, steps)
    // Pending promises of a process that died are not unhandled rejections.
    takeStrays()
    log.restarts += 1
    books.close()
    await process.close()
    process = await startProcess(ground)
    books = openBooks(ground.file)
    startedAt = steps
    // A process that cannot start ends, and its supervisor starts another one.
    const rebuild = () =>
      process.rebuild().catch((error: unknown) => {
        ground.trace(`  start failed: ${String(error)}`)
        process.life.end('stopped')
      })
    await go(begin('start', 'start', rebuild))
  }

  const restart = async (how: Death) => {
    process.life.end(how)
    await revive()
  }

  return {
    ground,
    log,
    get process() {
      return process
    },
    get books() {
      return books
    },
    ask,
    work,
    go,
    restart,
    async stopGently() {
      for (let round = 0; round < 5 && process.life.parked.length > 0; round++) {
        for (const it of [...process.life.parked]) it.release()
        await settle()
      }
      await restart('stopped')
    },
    isAdvancing: () => process.life.parked.some(it => it.task.name === 'advance'),
    async loseCheckpoint() {
      const threads = books.all('select distinct thread_id from checkpoint')
      if (threads.length === 0) return
      const thread = textOf(ground.random.pick(threads).thread_id)
      await process.loseCheckpoint(thread)
    },
    async close() {
      books.close()
      await process.close()
      removeDatabase(ground.file)
    },
  }
}

const toAnswer = (error: unknown): Answer =>
  error instanceof Problem
    ? { problem: error.type }
    : { broken: error instanceof Error ? `${error.name}: ${error.message}` : String(error) }

/** The disk after a power loss: all synced data, and at the end of the log bytes that were never committed. */
const copyAsAfterPowerLoss = (ground: Ground, steps: number) => {
  const before = ground.file
  const after = `${before.replace(/-p\d+$/, '')}-p${steps}`
  copyFileSync(before, after)
  if (existsSync(`${before}-wal`)) {
    copyFileSync(`${before}-wal`, `${after}-wal`)
    appendFileSync(`${after}-wal`, Buffer.from(ground.random.hex(2 * (1 + ground.random.int(6_000))), 'hex'))
  }
  ground.file = after
  setImmediate(() => removeDatabase(before))
}

const removeDatabase = (file: string) => {
  for (const end of ['', '-wal', '-shm', '.lock', '.lock-journal']) rmSync(`${file}${end}`, { force: true })
}
