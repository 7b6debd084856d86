import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { runConformance } from '../../src/drivers/conformance/run-conformance.ts'
import { startSandboxd } from '../sandboxes/support/start-sandboxd.ts'
import { pythonEnvironment } from './support/python-environment.ts'
import { startPythonDriver } from './support/start-python-driver.ts'

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

  it(
    'a Python driver with three calls follows every rule that it claims',
    async ({ skip }) => {
      const environment = await pythonEnvironment()
      if ('unavailable' in environment) return skip(environment.unavailable)
      const directory = await mkdtemp(path.join(os.tmpdir(), 'flotilla-python-'))
      try {
        await using driver = await startPythonDriver(environment.python, directory)
        const drivers = [{ name: 'copy', endpoint: driver.endpoint }]
        await using sandboxd = await startSandboxd({
          env: { SANDBOXD_DRIVERS: JSON.stringify(drivers) },
        })
        const results = await runConformance({ endpoint: sandboxd.endpoint, driver: 'copy' })

        expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([])
      } finally {
        await rm(directory, { recursive: true })
      }
    },
    TIMEOUT_MS,
  )
})
