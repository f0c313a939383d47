import { defineConfig } from 'vitest/config'

/**
 * The tests that call the domain, and the reading of words, without a service, because the mutation run repeats them for each mutant. Most rules are also
 * tested through the front door, which this figure leaves out.
 */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: [
      'test/domain/**/*.test.ts',
      'test/graphs/{routes,nodes}.test.ts',
      'test/language/{askedField,choose,filling,looseEnglish,mandateWords,rules,tasks,wishes}.test.ts',
      'test/search/{learned,words}.test.ts',
      'test/web/{answers,turns}.test.ts',
    ],
    testTimeout: 60_000,
    maxWorkers: 2,
    coverage: {
      provider: 'v8',
      include: ['src/domain/**/*.ts', 'src/language/{words,text}/*.ts'],
      reporter: ['text'],
      reportsDirectory: 'node_modules/.cache/coverage',
    },
  },
})
