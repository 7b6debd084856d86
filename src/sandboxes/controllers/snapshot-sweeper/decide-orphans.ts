/** An artefact in a store, as a driver lists it. */
export interface Artefact {
  readonly snapshotUid: string
  readonly installation: string
  readonly createdAt: Date
}

/** A Snapshot object whose artefact belongs to the listed store. */
export interface ExpectedSnapshot {
  readonly snapshotUid: string
  /** A Ready or Consumed snapshot has an artefact; others may have none yet or any more. */
  readonly hasArtefact: boolean
  /** An earlier sweep has not found the artefact. */
  readonly isLost: boolean
  readonly createdAt: Date
}

/** The differences between a store and the Snapshot objects. */
export interface Differences {
  /** Uids of artefacts without an object. */
  readonly orphans: readonly string[]
  /** Uids of objects without an artefact. */
  readonly missing: readonly string[]
  /** Uids of lost objects whose artefact is back, for example because a disk is mounted again. */
  readonly recovered: readonly string[]
}

interface Store {
  readonly artefacts: readonly Artefact[]
  /** The objects that record this store. */
  readonly expected: readonly ExpectedSnapshot[]
  /** The uids of all objects, whatever their store. */
  readonly known: ReadonlySet<string>
}

interface Rules {
  /** Only artefacts of this control plane may be removed. */
  readonly installation: string
  /** Younger artefacts and objects may belong to an operation in progress. */
  readonly graceMs: number
  readonly now: Date
}

/** Compares a complete list of a store with the Snapshot objects. */
export function decideOrphans(
  { artefacts, expected, known }: Store,
  { installation, graceMs, now }: Rules,
): Differences {
  const isOld = ({ createdAt }: { readonly createdAt: Date }): boolean =>
    now.getTime() - createdAt.getTime() >= graceMs
  const stored = new Set(artefacts.map(({ snapshotUid }) => snapshotUid))
  const orphans = artefacts.filter(
    (artefact) =>
      installation !== '' &&
      artefact.installation === installation &&
      !known.has(artefact.snapshotUid) &&
      isOld(artefact),
  )
  const missing = expected.filter(
    (snapshot) => snapshot.hasArtefact && !stored.has(snapshot.snapshotUid) && isOld(snapshot),
  )
  return {
    orphans: orphans.map(({ snapshotUid }) => snapshotUid),
    missing: missing.map(({ snapshotUid }) => snapshotUid),
    recovered: expected
      .filter(({ isLost, snapshotUid }) => isLost && stored.has(snapshotUid))
      .map(({ snapshotUid }) => snapshotUid),
  }
}
