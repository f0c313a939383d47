import { parentPort, workerData } from 'node:worker_threads'
import { z } from 'zod'
import { train } from './classifier.ts'
import { parseExamples, toRows } from './examples.ts'

const { table, rarity } = train(toRows(parseExamples(z.string().parse(workerData))))
parentPort?.postMessage({ table, rarity })
