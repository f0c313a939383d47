import { parentPort, workerData } from 'node:worker_threads'
import { z } from 'zod'
import { createRules } from './rules.ts'
import type { Answered, Question } from './thread.ts'

// A thread that answers questions by the rules, one at a time.
const rules = createRules({ dir: z.string().optional().parse(workerData) })
const post = (said: Answered) => parentPort?.postMessage(said)

parentPort?.on('message', ({ method, of }: Question) => {
  const answer: Promise<unknown> = Reflect.apply(rules[method], rules, of)
  answer.then(
    value => post({ json: JSON.stringify(value) }),
    (error: unknown) => post({ error: String(error) }),
  )
})
post({ json: '' })
