import { defineConfig } from 'vitest/config'
import { shared } from './vitest.config.ts'

/**
 * The slow lane, `npm run test:slow`: whole hires by every interface, attacks, kills, browser walks, fuzzing and conformance.
 */
export default defineConfig({ test: { ...shared, include: ['test/**/*.slow.test.ts'] } })
