import type { Wait } from '../../../lib/async/wait.ts'
import { formatResourceVersion, type ResourceVersion } from '../../feed/resource-version.ts'
import type { Database } from '../../database/database.ts'
import type { Requirement } from '../../replicas/replica.ts'
import type { Replicas } from '../../replicas/replicas.ts'
import type { Context } from '../context.ts'
import { type MinimumVersion, waitForVersion } from './wait-for-version.ts'

/** A result and the resource version from which it can be watched. */
export interface StateRead<T> {
  readonly value: T
  readonly resourceVersion: string
}

interface RequiredVersion {
  /** Null for the current state. */
  readonly least: MinimumVersion | null
  readonly wait: Wait
}

/**
 * Reads a state that contains a minimum version, from a replica if one has it, else from the primary.
 * Without a minimum, the state is current, unless replicas serve stale reads.
 */
export async function readState<T extends object>(
  context: Context,
  required: RequiredVersion,
  read: (context: Context) => Promise<T>,
): Promise<StateRead<T>> {
  const { replicas, feed } = context
  const requirement = replicas && (await requirementOf(context, replicas, required))
  if (replicas && requirement) {
    const found = await replicas.read(requirement, (snapshot) =>
      read(onReplica(context, replicas, snapshot)),
    )
    if (found) return { value: found.value, resourceVersion: formatResourceVersion(found.position) }
  }
  const { least, wait } = required
  if (least) await waitForVersion(context, least, wait)
  // Before the read: the state then contains every change up to this version, because this process
  // knows only committed changes.
  const resourceVersion: ResourceVersion = feed.broadcaster.resourceVersion
  return { resourceVersion: formatResourceVersion(resourceVersion), value: await read(context) }
}

/** The revision that a replica must have; null if only the primary can serve the read. */
async function requirementOf(
  context: Context,
  { servesStale }: Replicas,
  { least, wait }: RequiredVersion,
): Promise<Requirement | null> {
  const { broadcaster, writeTokens } = context.feed
  const { epoch } = broadcaster.resourceVersion
  if (least === null) return servesStale ? { epoch, revision: 0n } : null
  if (least === 'latest' || least.epoch !== epoch) return null
  if ('revision' in least) return { epoch, revision: least.revision }
  // The wait finds a revision that includes the write.
  await waitForVersion(context, least, wait)
  const revision = writeTokens.reachedRevision(least)
  return revision === null ? null : { epoch, revision }
}

function onReplica(context: Context, { searches }: Replicas, snapshot: Database): Context {
  return { ...context, database: snapshot, reader: context.reader.on(snapshot), searches }
}
