import { defineConfig } from 'vitest/config'

/** The settings that both lanes share. */
export const shared = {
  root: new URL('..', import.meta.url).pathname,
  globalSetup: 'test/folder.ts',
  // No test file keeps state in a module, so files may share loaded modules: loading is half the time of a run otherwise.
  isolate: false,
  // A test may start a whole service, a chain and agents, and a loaded machine takes its time.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  maxWorkers: 2,
}

/** The fast lane, `npm test`: the guarantees. */
export default defineConfig({
  test: { ...shared, include: ['test/**/*.test.ts'], exclude: ['test/**/*.slow.test.ts'] },
})
