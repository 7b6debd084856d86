import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { moduleCache, moduleCachePlugin } from '../support/module-cache.ts'

/** Configuration of the drills that are vitest tests. `npm test` does not run them. */
export default defineConfig({
  root: fileURLToPath(new URL('../../', import.meta.url)),
  plugins: [moduleCachePlugin],
  test: {
    experimental: moduleCache,
    include: ['test/**/*.drill.ts'],
    // As in `npm test`: the files of a worker share the 700 modules of a server.
    isolate: false,
    globalSetup: ['test/support/temporary-directory.ts', 'test/support/global-setup.ts'],
    testTimeout: 180_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
