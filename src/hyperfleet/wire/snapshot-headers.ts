import type { Response } from 'express'
import type { RegisteredKind } from '../../store/registry/kind.ts'
import type { Registry } from '../../store/registry/registry.ts'

/** The time of a snapshot. */
export const SNAPSHOT_TIME_HEADER = 'X-Snapshot-Time'

/** The header with the ID of the snapshot's root. */
export function snapshotRootHeader({ kind }: Pick<RegisteredKind, 'kind'>): string {
  return `X-Snapshot-${kind}`
}

/** Sets the headers for the root and the time of a snapshot. */
export function setSnapshotHeaders(
  response: Response,
  kind: RegisteredKind,
  { id, time }: { readonly id: string; readonly time: string },
): void {
  response.setHeader(snapshotRootHeader(kind), id)
  response.setHeader(SNAPSHOT_TIME_HEADER, time)
}

/** The headers of all snapshots. */
export function snapshotHeaders({ kinds }: Registry): readonly string[] {
  const roots = kinds.filter(({ snapshots }) => snapshots === true)
  return roots.length === 0 ? [] : [...roots.map(snapshotRootHeader), SNAPSHOT_TIME_HEADER]
}
