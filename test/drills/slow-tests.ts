import os from 'node:os'
import type { Drill } from './drill.ts'
import { runTestFilesWith } from './run-test-files.ts'

/**
 * Tests whose subject is a program, its end or a backup, and tests that wait for real seconds
 * (docs/decisions/0069).
 */
const FILES = [
  'test/clients/cli/terminal.drill.ts',
  'test/clients/stock-clients.drill.ts',
  'test/clients/typescript/bundle.drill.ts',
  'test/clients/typescript/package.drill.ts',
  'test/clients/typescript/worker.drill.ts',
  'test/failover/epochs.drill.ts',
  'test/maintenance/backups.drill.ts',
  'test/planes/many-definitions.drill.ts',
  'test/planes/requests/large-objects.drill.ts',
  'test/process/configuration-file.drill.ts',
  'test/process/failed-start.drill.ts',
  'test/process/library.drill.ts',
  'test/process/process.drill.ts',
  'test/process/terminal.drill.ts',
  'test/process/tls.drill.ts',
  'test/process/unwritable-log.drill.ts',
  'test/process/workers.drill.ts',
  'test/sandboxes/acceptance/five-cycles.drill.ts',
  'test/sandboxes/api-access/api-access.drill.ts',
  'test/sandboxes/endpoints/running-sandbox.drill.ts',
  'test/sandboxes/images/image-sandbox.drill.ts',
  'test/sandboxes/network/networks.drill.ts',
  'test/sandboxes/network/sandbox-network.drill.ts',
  'test/sandboxes/pod-fields/init-containers.drill.ts',
  'test/sandboxes/pod-fields/probes.drill.ts',
  'test/sandboxes/pod-fields/readiness.drill.ts',
  'test/sandboxes/pod-fields/volumes.drill.ts',
  'test/sandboxes/runtime/hung-start.drill.ts',
  'test/sandboxes/runtime/instances.drill.ts',
  'test/sandboxes/runtime/killed-capture.drill.ts',
  'test/sandboxes/runtime/limits.drill.ts',
  'test/sandboxes/runtime/local-sandboxd.drill.ts',
  'test/sandboxes/runtime/removed-directory.drill.ts',
  'test/sandboxes/runtime/unisolated.drill.ts',
  'test/sandboxes/snapshots/real-driver.drill.ts',
  'test/sandboxes/walls/bubblewrap.drill.ts',
  'test/sandboxes/walls/hostile-workloads.drill.ts',
  'test/shards/forgotten-tenants.drill.ts',
  'test/shards/forwarded-requests.drill.ts',
  'test/shards/restored-shards.drill.ts',
  'test/shards/stalled-shards.drill.ts',
  'test/snapshots/snapshot-servers.drill.ts',
  'test/storage/embedded-postgres.drill.ts',
  'test/storage/interrupted-start.drill.ts',
  'test/storage/pgbouncer/load.drill.ts',
  'test/storage/servers.drill.ts',
  'test/watch/watch-copies.drill.ts',
  'test/watch/watch-flood.drill.ts',
  'test/watch/watch-large.drill.ts',
  'test/watch/watch-two-servers.drill.ts',
  'test/webhooks/circuit.drill.ts',
  'test/webhooks/encrypted-urls.drill.ts',
  'test/webhooks/mixed-servers.drill.ts',
]

/** As in `npm test`: the files wait half of the time. */
const WORKERS = { VITEST_MAX_WORKERS: String(os.availableParallelism() + 3) }

/** Runs the tests that are too slow for `npm test`. */
export const slowTests: Drill = {
  summary: 'tests of programs, backups, real runtimes and real waits, which npm test leaves out',
  cases: [
    { name: 'few-samples', run: () => runTestFilesWith(WORKERS, FILES) },
    {
      name: 'all-samples',
      run: () => runTestFilesWith({ ...WORKERS, PROOFS: 'full' }, FILES),
    },
  ],
}
