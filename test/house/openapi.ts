import { createConfig, formatProblems, getTotals, lintFromString } from '@redocly/openapi-core'
import { toDocument } from '../../src/http/openapi.ts'
import { routes } from '../assembled.ts'

// Lints the OpenAPI document. Prints every finding; exits with 1 when there is one.

const rules = {
  // Existing clients define the paths, such as `/agents/handle/{agent}` beside `/agents/{agent}/events`.
  'no-ambiguous-paths': 'off',
  // The local service runs on this machine, so its server URL is local.
  'no-server-example.com': 'off',
} as const

const source = JSON.stringify(toDocument(routes, 'http://127.0.0.1:8001'))
const config = await createConfig({ extends: ['recommended'], rules })
const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config })
const totals = getTotals(problems)
if (problems.length > 0) {
  formatProblems(problems, { format: 'stylish', totals, version: '1' })
  process.exitCode = 1
}
