import os from 'node:os'
import path from 'node:path'
import { defineConfig } from 'vitest/config'
import { moduleCache, moduleCachePlugin } from './test/support/module-cache.ts'
import { SlowFilesFirst } from './test/support/slow-files-first.ts'

const cores = os.availableParallelism()
const globalSetup = ['test/support/temporary-directory.ts', 'test/support/global-setup.ts']

/** Set by `npm run drill`, whose tests are not part of `npm test`. */
const isDrill = process.env['FLOTILLA_DRILL'] === 'true'

// One file configures all: compiled modules are kept by the text of their configuration.
export default defineConfig({
  plugins: [moduleCachePlugin],
  // Node resolves the package's own name to the last build.
  resolve: {
    alias: [
      { find: /^flotilla$/, replacement: path.resolve('src/exports/flotilla.ts') },
      { find: /^flotilla\/(.+)$/, replacement: path.resolve('src/exports/$1.ts') },
    ],
  },
  test: {
    experimental: moduleCache,
    projects: isDrill
      ? [
          {
            extends: true,
            test: {
              name: 'drills',
              include: ['test/**/*.drill.ts'],
              globalSetup,
            },
          },
        ]
      : [
          {
            extends: true,
            test: {
              // Files beside the source need neither a database nor a compiled server, and get none.
              name: 'unit',
              include: ['{src,clients/*/src,test/support}/**/*.test.ts'],
              globalSetup: globalSetup.slice(0, 1),
              env: { FLOTILLA_TEST_PROJECT: 'unit' },
            },
          },
          {
            extends: true,
            test: {
              name: 'integration',
              include: ['test/**/*.test.ts'],
              exclude: ['test/support/**'],
              globalSetup,
            },
          },
        ],
    // A file that starts a server imports 700 modules. The files of a worker share them: no test
    // changes the state of a module.
    isolate: false,
    sequence: { sequencer: SlowFilesFirst },
    // Tests wait for servers and databases half of the time, so three workers more than cores keep
    // the cores busy. Both projects share them. Several drills run at the same time.
    maxWorkers: isDrill ? Math.max(cores - 1, 1) : cores + 3,
    // Only tests that hang exceed these limits, also on a busy machine.
    testTimeout: 180_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
