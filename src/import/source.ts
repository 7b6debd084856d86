import type { JsonObject } from '../lib/json/json.ts'
import type { RegisteredKind } from '../store/registry/kind.ts'

/**
 * A resource as the HyperFleet API returns it, with one more member: `statuses`, all reports on it. Every
 * source has this form, and so has every line of an export.
 */
export type SourceResource = JsonObject

/** Rows of the source that are no resources of the API. */
export interface SourceRemark {
  readonly kind: string
  readonly text: string
}

/** The resources that a pass after another one reads. */
export interface Changes {
  /** Those that have changed after this time. */
  readonly since: Date
  /** Those that are not among these, such as a child whose parent the last pass had not read yet. */
  readonly accepted: ReadonlySet<string>
}

/** An installation whose resources are imported. Nothing is written to it. */
export interface Source extends AsyncDisposable {
  /** Its version and location, without credentials. */
  readonly title: string
  /** The kinds that the last pass did not find in the source, which may be a mistake in its address. */
  readonly unlisted: ReadonlySet<string>
  /** Whether it shows only the tenants that its credentials may see. */
  readonly mayHideTenants: boolean
  /** The number of resources by kind. */
  count(): Promise<ReadonlyMap<string, number>>
  /** The rows of the source beside resources and their reports. */
  remarks(): Promise<readonly SourceRemark[]>
  /** The resources of a kind, in pages: all of them, or at least those of some changes. */
  pages(
    kind: RegisteredKind,
    changes: Changes | null,
  ): AsyncIterable<readonly SourceResource[], void, undefined>
}
