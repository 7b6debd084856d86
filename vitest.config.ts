import os from 'node:os'
import { defineConfig } from 'vitest/config'
import { moduleCache, moduleCachePlugin } from './test/support/module-cache.ts'
import { SlowFilesFirst } from './test/support/slow-files-first.ts'

export default defineConfig({
  plugins: [moduleCachePlugin],
  test: {
    experimental: moduleCache,
    projects: [
      {
        extends: true,
        test: {
          // Files beside the source need neither a database nor a compiled server, and get none.
          name: 'unit',
          include: ['{src,clients/*/src,test/support}/**/*.test.ts'],
          globalSetup: ['test/support/temporary-directory.ts'],
          env: { FLOTILLA_TEST_PROJECT: 'unit' },
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['test/**/*.test.ts'],
          exclude: ['test/support/**'],
          globalSetup: ['test/support/temporary-directory.ts', 'test/support/global-setup.ts'],
        },
      },
    ],
    // A file that starts a server imports 700 modules. The files of a worker share them: no test
    // changes the state of a module.
    isolate: false,
    sequence: { sequencer: SlowFilesFirst },
    // Tests wait for servers and databases half of the time, so three workers more than cores keep
    // the cores busy. Both projects share them.
    maxWorkers: os.availableParallelism() + 3,
    // Only tests that hang exceed these limits, also on a busy machine.
    testTimeout: 180_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
