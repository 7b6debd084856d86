import os from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'clients/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    // A file that starts a server imports 700 modules. The files of a worker share them: no test
    // changes the state of a module.
    isolate: false,
    // Tests wait for servers and databases half of the time, so two workers more than cores keep
    // the cores busy.
    maxWorkers: os.availableParallelism() + 2,
    // Only tests that hang exceed these limits, also on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
  },
})
