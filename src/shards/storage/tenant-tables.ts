/** How the rows of a table belong to tenants. */
type TenantColumn =
  /** The table has a column `tenant`. */
  | 'tenant'
  /** `resource_id` names a resource of the tenant. */
  | 'resource_id'
  /** `plane` names a resource of the tenant. */
  | 'plane'

/** A table whose rows move with their tenant. */
export interface TenantTable {
  readonly table: string
  readonly column: TenantColumn
  /** The columns of the primary key. */
  readonly key: readonly string[]
  /**
   * The operations that a shard rejects for tenants that are not active. Deletions that only follow
   * the deletion of the resource need no check.
   */
  readonly fenced: readonly ('insert' | 'update' | 'delete')[]
}

const EVERY_WRITE = ['insert', 'update', 'delete'] as const

/** In an order that foreign keys allow. A test compares this list with the schema. */
export const TENANT_TABLES: readonly TenantTable[] = [
  { table: 'resources', column: 'tenant', key: ['id'], fenced: EVERY_WRITE },
  {
    table: 'adapter_statuses',
    column: 'resource_id',
    key: ['resource_id', 'adapter'],
    fenced: ['insert', 'update'],
  },
  { table: 'force_deletions', column: 'tenant', key: ['id'], fenced: ['insert'] },
  {
    table: 'idempotency_keys',
    column: 'tenant',
    key: ['tenant', 'caller', 'route', 'key'],
    fenced: ['insert'],
  },
  { table: 'webhooks', column: 'tenant', key: ['id'], fenced: EVERY_WRITE },
  { table: 'members', column: 'resource_id', key: ['resource_id'], fenced: EVERY_WRITE },
  // Every write of a plane also writes its objects.
  { table: 'planes', column: 'plane', key: ['plane'], fenced: [] },
  {
    table: 'objects',
    column: 'plane',
    key: ['plane', 'resource', 'namespace', 'name'],
    fenced: EVERY_WRITE,
  },
  { table: 'sandbox_states', column: 'plane', key: ['uid'], fenced: ['insert', 'update'] },
  { table: 'sandbox_operations', column: 'plane', key: ['id'], fenced: ['insert', 'update'] },
]

/**
 * The tables that grow with time, and whose rows never change: while the tenant is served in its new
 * shard, they are copied there. Partitioned by day.
 */
export const RECORD_TABLES = ['resource_history', 'audit_events'] as const

/** The tables whose rows stay in their database, with the reason. */
export const STAYING_TABLES: Readonly<Record<string, string>> = {
  adapter_queues: 'each shard has its own queues, which follow its log',
  adapter_work: 'leases end with the move, and the other shard queues the resources',
  changes: 'the log of the shard: watches begin again in the other one',
  count_minutes: 'statistics of the shard',
  head: 'the bounds of the log of the shard',
  history_cursor: 'a position in the log of the shard',
  load_minutes: 'statistics of the shard',
  object_changes: 'the log of the shard: watches begin again in the other one',
  object_head: 'the bounds of the log of the shard',
  object_outbox: 'changes on their way to the log of the shard',
  outbox: 'changes on their way to the log of the shard',
  resource_counts: 'maintained by the sequencer of each shard',
  servers: 'the servers of the shard',
  shard: 'the name of the shard',
  shards: 'directory',
  signing_keys: 'each shard signs the tokens of its service accounts, which end with a move',
  tenant_moves: 'directory',
  tenant_shards: 'directory',
  tenant_states: 'set by the move itself',
  webhook_cursor: 'a position in the log of the shard',
  webhook_deliveries:
    'events of the log of the shard: webhooks receive a resync event after a move',
  webhook_queues: 'follows from the deliveries',
}
