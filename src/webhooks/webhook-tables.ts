import { EVERY_WRITE, type Table } from '../store/tables/table.ts'

/** Events that were pending in the source are lost: the servers send a resync event instead. */
const RESYNC = `
  with changed as (
    update webhook_cursor set definitions = definitions + 1 returning id
  )
  update webhooks set overflowing = true from changed where tenant = $1::text`

/** Servers must not queue events for webhooks that are gone. */
const CHANGE_DEFINITIONS = 'update webhook_cursor set definitions = definitions + 1'

/** Only the original may send events. */
const PAUSE = `
  update webhooks set state = 'paused'
  where state = 'active'`

/** The tables of webhooks. */
export const WEBHOOK_TABLES: readonly Table[] = [
  {
    name: 'webhooks',
    backup: 'saved',
    isUserData: true,
    onCopy: PAUSE,
    move: {
      column: 'tenant',
      key: ['id'],
      fenced: EVERY_WRITE,
      onArrival: RESYNC,
      onDeletion: CHANGE_DEFINITIONS,
    },
  },
  {
    name: 'webhook_cursor',
    backup: 'saved',
    move: { stays: 'a position in the log of the shard' },
  },
  {
    name: 'webhook_deliveries',
    backup: 'saved',
    move: {
      stays: 'events of the log of the shard: webhooks receive a resync event after a move',
    },
  },
  { name: 'webhook_queues', backup: 'saved', move: { stays: 'follows from the deliveries' } },
]
