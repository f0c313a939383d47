import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    globalSetup: 'test/folder.ts',
    include: ['test/**/*.test.ts'],
    // Nothing here keeps state in a module, so files may share loaded ones: half the time of a run is loading otherwise.
    isolate: false,
    // A whole service, a chain and agents are behind one test; a loaded machine may take its time.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
})
