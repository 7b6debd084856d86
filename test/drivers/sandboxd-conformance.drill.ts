import { describe, expect, it } from 'vitest'
import { runConformance } from './conformance/run-conformance.ts'
import { startSandboxd } from '../sandboxes/support/start-sandboxd.ts'

const TIMEOUT_MS = 300_000

describe('conformance of flotilla sandboxd', () => {
  it(
    'the driver `process` follows every rule',
    async () => {
      await using sandboxd = await startSandboxd()
      const results = await runConformance({
        endpoint: sandboxd.endpoint,
        driver: 'process',
        parameters: { store: 'local' },
      })

      expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([])
    },
    TIMEOUT_MS,
  )
})
