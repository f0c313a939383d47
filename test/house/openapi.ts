import { OpenAPIHono } from '@hono/zod-openapi'
import { createConfig, formatProblems, getTotals, lintFromString } from '@redocly/openapi-core'
import { describeRoutes, toDocument } from '../../src/http/openapi.ts'

// Prints what the linter says of the OpenAPI document; fails when it says anything.

const rules = {
  // The paths are those of existing clients: `/agents/handle/{agent}` beside `/agents/{agent}/events`.
  'no-ambiguous-paths': 'off',
  // The local world is served on this machine.
  'no-server-example.com': 'off',
} as const

const app = new OpenAPIHono()
describeRoutes(app)
const source = JSON.stringify(toDocument(app, 'http://127.0.0.1:8001'))
const config = await createConfig({ extends: ['recommended'], rules })
const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config })
const totals = getTotals(problems)
if (problems.length > 0) {
  formatProblems(problems, { format: 'stylish', totals, version: '1' })
  process.exitCode = 1
}
