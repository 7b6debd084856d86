import { readShardName } from '../core/model/shard-name.ts'
import { milliseconds, optionalText, type Setting } from './setting.ts'

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
  shardResponseTimeoutMs: milliseconds({
    env: 'SHARD_RESPONSE_TIMEOUT_MS',
    min: 100,
    default: 20_000,
    doc: 'Time that a server of another shard may take to respond before its shard counts as unreachable for the request. It should be longer than DATABASE_CONNECT_TIMEOUT_MS and STATEMENT_TIMEOUT_MS together. Requests that wait by design, such as leases, may take longer: see docs/scale.md.',
  }),
} as const satisfies Record<string, Setting<unknown>>

function readShardKey(text: string): string {
  if (/^[\x21-\x7e]{16,256}$/.test(text)) return text
  // The message must not contain the secret.
  throw new Error('expected 16 to 256 printable ASCII characters without spaces')
}
