/** A table of the schema, as its owner declares it. Backups and moves of tenants follow from it. */
export interface Table {
  readonly name: string
  /**
   * Whether backups contain the rows. Servers fill a `derived` table again after a restore; the rows of
   * `none` describe running servers.
   */
  readonly backup: 'saved' | 'derived' | 'none'
  /** Callers or operators wrote the rows: a restore replaces them only if it is asked to. */
  readonly isUserData?: true
  readonly move: Move
  /**
   * A statement after the restore of a copy that runs beside its original, so that the copy does not
   * act for it. Triggers are off. docs/backup.md contains it for copies that other tools make.
   */
  readonly onCopy?: string
  /** A statement after every restore. Triggers are off. */
  readonly onRestore?: string
  /** A former table, which only backups of older schemas contain. */
  readonly isFormer?: true
}

/** The fate of the rows of a tenant that moves to another shard. */
type Move =
  | TenantRows
  /**
   * Rows that never change, in partitions by day, with a column `tenant`: they are copied while the
   * tenant is served in its new shard.
   */
  | 'copied later'
  /** The rows stay in their database, for this reason. */
  | { readonly stays: string }

/** Rows that move with their tenant, in one transaction. */
export interface TenantRows {
  /**
   * How the rows belong to tenants: by a column `tenant`, or by a resource of the tenant that
   * `resource_id` or `plane` names.
   */
  readonly column: 'tenant' | 'resource_id' | 'plane'
  /** The columns of the primary key. */
  readonly key: readonly string[]
  /**
   * The operations that a shard rejects for tenants that are not active. Deletions that only follow
   * the deletion of the resource need no check.
   */
  readonly fenced: readonly ('insert' | 'update' | 'delete')[]
  /** The rows are deleted with their resource or plane. */
  readonly isDeletedWithOwner?: true
  /** The rows expire, and mean nothing for a tenant without others. */
  readonly expires?: true
  /** A statement of the target when the rows have arrived. `$1` is the tenant. */
  readonly onArrival?: string
  /** A statement of the source in each transaction that deletes rows. */
  readonly onDeletion?: string
}

/** The operations of a table that callers write directly. */
export const EVERY_WRITE = ['insert', 'update', 'delete'] as const
