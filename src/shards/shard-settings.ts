import type { FoundationValues } from '../capability/foundation-settings.ts'
import { EXPECTED_DATABASE_URL, parseDatabaseUrl } from '../lib/database-url.ts'
import type { ValuesOf } from '../lib/settings/read-settings.ts'
import { readShardName } from '../store/model/shard-name.ts'
import {
  optionalText,
  port,
  type Setting,
  MAX_TIMER_MS,
  readInteger,
  retired,
} from '../lib/settings/setting.ts'

/** The settings of a server that belongs to a shard. */
export const SHARD_SETTINGS = {
  shardName: {
    env: 'SHARD',
    member: 'name',
    former: 'SHARD_NAME',
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
  shardPort: {
    ...port({
      env: 'SHARD',
      member: 'port',
      former: 'SHARD_PORT',
      opensLast: true,
      default: 0,
      doc: 'Port for the requests of other servers, over mutual TLS with `tls-cert`, `tls-key` and `tls-ca`. The server then accepts forwarded requests at this port only. If unset, it accepts them at PORT.',
    }),
    default: null,
  } as Setting<number | null>,
  shardTlsCertFile: optionalText({
    env: 'SHARD',
    member: 'tls-cert',
    former: 'SHARD_TLS_CERT_FILE',
    doc: 'PEM file with the certificate for mutual TLS between the servers of shards, followed by its intermediates. It must allow server and client authentication. The file is read again when it changes.',
  }),
  shardTlsKeyFile: optionalText({
    env: 'SHARD',
    member: 'tls-key',
    former: 'SHARD_TLS_KEY_FILE',
    doc: 'PEM file with the private key of `tls-cert`.',
  }),
  shardTlsCaFile: optionalText({
    env: 'SHARD',
    member: 'tls-ca',
    former: 'SHARD_TLS_CA_FILE',
    doc: 'PEM file with the authority that signs the certificates of all servers of shards.',
  }),
  shardResponseTimeoutMs: retired({
    env: 'SHARD_RESPONSE_TIMEOUT_MS',
    doc: 'it is twice STATEMENT_TIMEOUT_MS',
    read: (value) => readInteger(value, { min: 100, max: MAX_TIMER_MS }),
  }),
} as const satisfies Record<string, Setting<unknown>>

function readShardKey(text: string): string {
  if (/^[\x21-\x7e]{16,256}$/.test(text)) return text
  // The message must not contain the secret.
  throw new Error('expected 16 to 256 printable ASCII characters without spaces')
}

/** A shard needs all of its settings, and tenants to divide. */
export function shardProblems(
  values: ValuesOf<typeof SHARD_SETTINGS> & Pick<FoundationValues, 'tenantHeaders'>,
): readonly string[] {
  const { shardName, shardDirectoryUrl, shardKey, tenantHeaders, shardPort } = values
  const { shardTlsCertFile, shardTlsKeyFile, shardTlsCaFile } = values
  const isInvalid = shardDirectoryUrl !== null && parseDatabaseUrl(shardDirectoryUrl) === null
  const problems = isInvalid ? [`SHARD_DIRECTORY_URL: ${EXPECTED_DATABASE_URL}`] : []
  if (shardName === null) return problems
  const files = [shardTlsCertFile, shardTlsKeyFile, shardTlsCaFile].filter((file) => file !== null)
  return [
    ...problems,
    ...(files.length === 1 || files.length === 2
      ? ['SHARD: set tls-cert, tls-key and tls-ca, or none of them']
      : []),
    ...(shardPort !== null && files.length === 0 ? ['SHARD: port needs tls-cert'] : []),
    ...(shardDirectoryUrl === null ? ['SHARD: name needs SHARD_DIRECTORY_URL'] : []),
    ...(shardKey === null ? ['SHARD: name needs SHARD_KEY'] : []),
    ...(tenantHeaders.length === 0
      ? ['SHARD: name needs TENANT_HEADERS: shards divide tenants']
      : []),
  ]
}
