import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runConformance } from './conformance/run-conformance.ts'
import { connectRuntime } from '../../src/sandboxes/drivers/protocol/connect-runtime.ts'
import { startReferenceServer } from './reference/start-reference-server.ts'
import { startSandboxd } from '../sandboxes/support/start-sandboxd.ts'
import { generatePythonCode } from './support/generate-python-code.ts'
import { pythonEnvironment, run } from './support/python-environment.ts'
import { startPythonDriver } from './support/start-python-driver.ts'

const INSTALL_TIMEOUT_MS = 300_000

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'flotilla-python-'))
})
afterEach(() => rm(directory, { recursive: true }))

describe('drivers in Python', () => {
  it(
    'a driver with the three calls of the proposal follows their rules',
    async ({ skip }) => {
      const environment = await pythonEnvironment()
      if ('unavailable' in environment) return skip(environment.unavailable)
      await using driver = await startPythonDriver(environment.python, directory)
      using client = connectRuntime(driver.endpoint)
      await expect(client.driver.getInfo({})).rejects.toMatchObject({ code: 'UNIMPLEMENTED' })

      const results = await runConformance({ endpoint: driver.endpoint })
      expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([])
      expect(results.filter(({ outcome }) => outcome === 'passed')).toHaveLength(9)
    },
    INSTALL_TIMEOUT_MS,
  )

  it(
    "Python's client reads answers, codes, reasons and streams of a server of ours",
    async ({ skip }) => {
      const environment = await pythonEnvironment()
      if ('unavailable' in environment) return skip(environment.unavailable)
      const generated = await generatePythonCode(environment.python, directory)
      const listen = `unix:${directory}/reference.sock`
      await using server = await startReferenceServer({ listen, directory })
      const script = path.join(import.meta.dirname, 'python/client.py')
      const python = { PYTHONPATH: generated, PYTHONDONTWRITEBYTECODE: '1' }
      const env = { ...process.env, ...python }
      const { stdout } = await run(environment.python, [script, server.endpoint], { env })

      expect(stdout.trim().split('\n')).toEqual([
        'info reference',
        'started Running',
        'checkpoint s1',
        'list s1 complete=True',
        'missing NOT_FOUND',
        'stale FAILED_PRECONDITION StaleFence',
        'deadline DEADLINE_EXCEEDED',
      ])
    },
    INSTALL_TIMEOUT_MS,
  )

  it(
    'flotilla sandboxd with a Python driver of three calls follows every rule that it claims',
    async ({ skip }) => {
      const environment = await pythonEnvironment()
      if ('unavailable' in environment) return skip(environment.unavailable)
      await using driver = await startPythonDriver(environment.python, directory)
      const drivers = [{ name: 'copy', endpoint: driver.endpoint }]
      await using sandboxd = await startSandboxd({
        settings: [`drivers=${JSON.stringify(drivers)}`],
      })
      const results = await runConformance({ endpoint: sandboxd.endpoint, driver: 'copy' })

      expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([])
    },
    INSTALL_TIMEOUT_MS,
  )
})
