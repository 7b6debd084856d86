import { EVERY_WRITE, type Table } from './table.ts'

const LOG = 'the log of the shard: watches begin again in the other one'
const BOUNDS = 'the bounds of the log of the shard'
const ON_THE_WAY = 'changes on their way to the log of the shard'

/** The tables of the store, in an order that foreign keys allow. */
export const STORE_TABLES: readonly Table[] = [
  {
    name: 'resources',
    backup: 'saved',
    isUserData: true,
    move: { column: 'tenant', key: ['id'], fenced: EVERY_WRITE },
  },
  {
    name: 'adapter_statuses',
    backup: 'saved',
    move: {
      column: 'resource_id',
      key: ['resource_id', 'adapter'],
      fenced: ['insert', 'update'],
      isDeletedWithOwner: true,
    },
  },
  {
    name: 'force_deletions',
    backup: 'saved',
    move: { column: 'tenant', key: ['id'], fenced: ['insert'] },
  },
  {
    name: 'idempotency_keys',
    backup: 'saved',
    move: {
      column: 'tenant',
      key: ['tenant', 'caller', 'route', 'key'],
      fenced: ['insert'],
      expires: true,
    },
  },
  {
    name: 'members',
    backup: 'saved',
    move: {
      column: 'resource_id',
      key: ['resource_id'],
      fenced: EVERY_WRITE,
      isDeletedWithOwner: true,
    },
  },
  {
    name: 'planes',
    backup: 'saved',
    // Every write of a plane also writes its objects.
    move: { column: 'plane', key: ['plane'], fenced: [], isDeletedWithOwner: true },
  },
  {
    name: 'objects',
    backup: 'saved',
    isUserData: true,
    move: {
      column: 'plane',
      key: ['plane', 'resource', 'namespace', 'name'],
      fenced: EVERY_WRITE,
    },
  },
  {
    name: 'signing_keys',
    backup: 'saved',
    // With the same keys, the original and its copy would accept each other's tokens.
    onCopy: 'delete from signing_keys',
    move: {
      stays: 'each shard signs the tokens of its service accounts, which end with a move',
    },
  },
  { name: 'changes', backup: 'saved', move: { stays: LOG } },
  { name: 'head', backup: 'saved', move: { stays: BOUNDS } },
  { name: 'outbox', backup: 'saved', move: { stays: ON_THE_WAY } },
  { name: 'object_changes', backup: 'saved', move: { stays: LOG } },
  { name: 'object_head', backup: 'saved', move: { stays: BOUNDS } },
  { name: 'object_outbox', backup: 'saved', move: { stays: ON_THE_WAY } },
  {
    name: 'resource_counts',
    backup: 'saved',
    move: { stays: 'maintained by the sequencer of each shard' },
  },
  { name: 'servers', backup: 'none', move: { stays: 'the servers of the shard' } },
  { name: 'inbox', backup: 'saved', isFormer: true, move: { stays: 'no rows since version 0.1' } },
]
