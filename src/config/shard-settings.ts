import { readShardName } from '../core/model/shard-name.ts'
import { optionalText, type Setting } from './setting.ts'

/** The settings of a server that belongs to a shard. */
export const SHARD_SETTINGS = {
  shardName: {
    env: 'SHARD_NAME',
    shared: true,
    type: 'name',
    default: null,
    doc: 'The name of the shard that DATABASE_URL belongs to, as `flotilla shards add` registered it. Requires SHARD_DIRECTORY_URL, SHARD_KEY and TENANT_HEADERS: see docs/scale.md. If unset, the installation is not sharded.',
    read: readShardName,
  } as Setting<string | null>,
  shardDirectoryUrl: optionalText({
    env: 'SHARD_DIRECTORY_URL',
    doc: 'The PostgreSQL database that contains the directory of shards and tenants. It may be the database of a shard.',
  }),
  shardKey: {
    env: 'SHARD_KEY',
    type: 'text',
    default: null,
    doc: 'A secret of at least 16 printable characters that all servers of all shards share. It authenticates the requests that servers forward to each other, and these requests name their tenants.',
    read: readShardKey,
  } as Setting<string | null>,
} as const satisfies Record<string, Setting<unknown>>

function readShardKey(text: string): string {
  if (/^[\x21-\x7e]{16,256}$/.test(text)) return text
  // The message must not contain the secret.
  throw new Error('expected 16 to 256 printable ASCII characters without spaces')
}
