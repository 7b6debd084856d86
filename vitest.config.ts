import os from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'clients/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    // A file that starts a server imports 700 modules. The files of a worker share them: no test
    // changes the state of a module.
    isolate: false,
    // Tests wait for servers and databases, so one worker more than cores keeps the cores busy.
    maxWorkers: os.availableParallelism() + 1,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
