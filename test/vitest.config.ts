import { defineConfig } from 'vitest/config'

/** The settings that both lanes share. */
export const shared = {
  root: new URL('..', import.meta.url).pathname,
  globalSetup: 'test/folder.ts',
  // No test file keeps state in a module, so test files share loaded modules, which halves the run time.
  isolate: false,
  // A test may start a service, a chain and agents, which is slow on a loaded machine.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  maxWorkers: 2,
}

/** The fast lane, `npm test`: all tests except the slow ones. */
export default defineConfig({
  test: { ...shared, include: ['test/**/*.test.ts'], exclude: ['test/**/*.slow.test.ts'] },
})
