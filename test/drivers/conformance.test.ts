import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { ServiceImpl } from '@connectrpc/connect'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  CONFORMANCE_CHECKS,
  type ConformanceResult,
  runConformance,
} from './conformance/run-conformance.ts'
import type { SnapshotDriver } from '../../src/sandboxes/drivers/generated/proto/snapshot_driver_pb.ts'
import { connectRuntime } from '../../src/sandboxes/drivers/protocol/connect-runtime.ts'
import { serveDrivers } from '../../src/sandboxes/drivers/protocol/serve-drivers.ts'
import { startReferenceServer } from './reference/start-reference-server.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'flotilla-conformance-'))
})
afterEach(() => rm(directory, { recursive: true }))

const socket = (name: string) => `unix:${directory}/${name}.sock`
const parameters = { store: 'local' }
const named = (results: readonly ConformanceResult[], outcome: ConformanceResult['outcome']) =>
  results.filter((one) => one.outcome === outcome)

/** The rules that the changed drivers break. */
const REPETITIONS = [
  'a repeated Checkpoint returns the stored result',
  'an operation ID with other arguments fails with ALREADY_EXISTS',
]
const FENCES_AND_DIGESTS = [
  'a lower fence fails with FAILED_PRECONDITION',
  'Restore with another digest fails with DATA_LOSS',
]
const DELETIONS = [
  'Delete removes a snapshot and succeeds again afterwards',
  'ListSnapshots contains a snapshot until it is deleted',
]

/**
 * Which of the rules a server breaks that forwards calls to the reference server after a change.
 */
async function brokenRules(
  rules: readonly string[],
  change: (driver: Partial<ServiceImpl<typeof SnapshotDriver>>) => void,
): Promise<readonly string[]> {
  await using reference = await startReferenceServer({ listen: socket('reference'), directory })
  using client = connectRuntime(reference.endpoint)
  const { driver, runtime } = client
  const forwarding = {
    checkpoint: (request) => driver.checkpoint(request),
    restore: (request) => driver.restore(request),
    delete: (request) => driver.delete(request),
    getInfo: () => driver.getInfo({}),
    validate: (request) => driver.validate(request),
    getSnapshot: (request) => driver.getSnapshot(request),
    listSnapshots: (request) => driver.listSnapshots(request),
  } satisfies ServiceImpl<typeof SnapshotDriver>
  change(forwarding)
  await using server = await serveDrivers({
    listen: socket('broken'),
    driver: forwarding,
    runtime: {
      start: (request) => runtime.start(request),
      freeze: (request) => runtime.freeze(request),
      thaw: (request) => runtime.thaw(request),
      terminate: (request) => runtime.terminate(request),
      remove: (request) => runtime.remove(request),
      getInstance: (request) => runtime.getInstance(request),
      exec: (request) => runtime.exec(request),
      watch: (_request, { signal }) => runtime.watch({}, { signal }),
      getRuntimeInfo: () => runtime.getRuntimeInfo({}),
    },
  })
  const results = await runConformance({ endpoint: server.endpoint, parameters }, rules)
  return named(results, 'failed').map(({ name }) => name)
}

describe('conformance of drivers', () => {
  it('the reference driver follows every rule', async () => {
    await using server = await startReferenceServer({ listen: socket('full'), directory })
    const results = await runConformance({ endpoint: server.endpoint, parameters })

    expect(named(results, 'failed')).toEqual([])
    expect(named(results, 'passed')).toHaveLength(CONFORMANCE_CHECKS.length)
  })

  it('a forwarding server without changes follows the rules that the changed drivers break', async () => {
    const rules = [...REPETITIONS, ...FENCES_AND_DIGESTS, ...DELETIONS]
    expect(await brokenRules(rules, () => {})).toEqual([])
  })

  it('finds a driver that ignores operation IDs', async () => {
    const broken = await brokenRules(REPETITIONS, (driver) => {
      const { checkpoint } = driver
      if (checkpoint === undefined) return
      driver.checkpoint = (request, context) => checkpoint({ ...request, operationId: '' }, context)
    })
    expect(broken).toEqual(REPETITIONS)
  })

  it('finds a driver that ignores fences and digests', async () => {
    const broken = await brokenRules(FENCES_AND_DIGESTS, (driver) => {
      const { checkpoint, restore } = driver
      if (checkpoint === undefined || restore === undefined) return
      driver.checkpoint = (request, context) => checkpoint({ ...request, fence: 99n }, context)
      driver.restore = (request, context) =>
        restore({ ...request, fence: 99n, digest: '' }, context)
    })
    expect(broken).toEqual(FENCES_AND_DIGESTS)
  })

  it('finds a driver whose Delete does nothing', async () => {
    const broken = await brokenRules(DELETIONS, (driver) => {
      driver.delete = () => ({})
    })
    expect(broken).toEqual(DELETIONS)
  })
})
