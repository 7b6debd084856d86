import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** Drills that are written as tests: `npm test` leaves them out. */
export default defineConfig({
  root: fileURLToPath(new URL('../../', import.meta.url)),
  test: {
    include: ['test/drills/*.drill.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 90_000,
    hookTimeout: 60_000,
  },
})
