import { pause } from '../../../src/lib/async/pause.ts'
import {
  createCluster,
  deleteCluster,
  type LoadContext,
  patchCluster,
  readCluster,
  reportOnCluster,
} from './cluster-writes.ts'
import type { LedgerCluster } from './ledger.ts'

/** A writer has at most this many clusters. */
const MAX_CLUSTERS = 10

interface Options extends LoadContext {
  /** Prefix of the names of its clusters, unique in the database. */
  readonly prefix: string
  /** Average pause between two operations. */
  readonly pauseMs: number
  readonly random: () => number
  /** Aborted when the writer begins no more operations. */
  readonly stopped: AbortSignal
}

/**
 * Creates, changes, reads and deletes clusters that no other writer changes, one operation at a
 * time, until it is stopped.
 */
export async function runWriter(options: Options): Promise<void> {
  const { random, stopped, pauseMs } = options
  const live: LedgerCluster[] = []
  for (let sequence = 1; !stopped.aborted; sequence += 1) {
    await writeOnce(options, live, sequence)
    await pause(2 * pauseMs * random(), stopped)
  }
}

async function writeOnce(options: Options, live: LedgerCluster[], sequence: number): Promise<void> {
  const { random, prefix } = options
  const dice = random()
  const index = Math.floor(random() * live.length)
  const cluster = live[index]
  if (cluster === undefined || (dice < 0.2 && live.length < MAX_CLUSTERS)) {
    const created = await createCluster(options, `${prefix}-${sequence}`)
    if (created.id !== null) live.push(created)
  } else if (dice < 0.5) await patchCluster(options, cluster)
  else if (dice < 0.8) await reportOnCluster(options, cluster)
  else if (dice < 0.9) await readCluster(options, cluster)
  else await deleteCluster(options, cluster)
  if (cluster !== undefined && cluster.deletion !== 'none') live.splice(index, 1)
}
