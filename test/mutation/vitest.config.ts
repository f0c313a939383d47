import { defineConfig } from 'vitest/config'

/** Only the domain tests, because the mutation run repeats them for each mutant. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/domain/**/*.test.ts'],
    testTimeout: 60_000,
    maxWorkers: 2,
    coverage: {
      provider: 'v8',
      include: ['src/domain/**/*.ts'],
      reporter: ['text'],
      reportsDirectory: 'node_modules/.cache/coverage',
    },
  },
})
