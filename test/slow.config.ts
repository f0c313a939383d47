import { defineConfig } from 'vitest/config'
import { shared } from './vitest.config.ts'

/** The slow lane, `npm run test:slow`: fuzzing, kills, browser walks, invariants, conformance and long interleavings. */
export default defineConfig({ test: { ...shared, include: ['test/**/*.slow.test.ts'] } })
