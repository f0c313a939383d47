import { parentPort, workerData } from 'node:worker_threads'
import { z } from 'zod'
import { createRules } from './rules.ts'
import type { Answered } from './thread.ts'

// A thread that answers questions by the rules, one at a time.
const { understand, choose, fill } = createRules({ dir: z.string().optional().parse(workerData) })
const post = (said: Answered) => parentPort?.postMessage(said)

parentPort?.on('message', ({ method, of }) => {
  const answer: Promise<unknown> =
    method === 'understand' ? understand(of.said, of.now) : method === 'choose' ? choose(of) : fill(of)
  answer.then(
    value => post({ json: JSON.stringify(value) }),
    (error: unknown) => post({ error: String(error) }),
  )
})
post({ json: '' })
