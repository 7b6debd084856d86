import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** Tests with a defect, which the drill runs as CI runs all tests. */
export default defineConfig({
  root: fileURLToPath(new URL('../../../', import.meta.url)),
  test: {
    include: ['test/drills/planted-failures/*.planted.ts'],
    globalSetup: ['test/support/temporary-directory.ts'],
  },
})
