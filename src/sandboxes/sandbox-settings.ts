import {
  choice,
  commaList,
  type EncryptionKey,
  flag,
  integer,
  optionalText,
  readEncryptionKeys,
  type Setting,
  type ValuesOf,
} from 'flotilla/programs'
import type { FoundationConfig } from '../capability/foundation-settings.ts'
import type { deriveSnapshots } from './snapshot-settings.ts'
import { type DriverAddress, readDriverAddresses } from './driver-addresses.ts'

/** The settings of sandboxes and of `flotilla sandboxd`. */
export const SANDBOX_SETTINGS = {
  sandboxRuntime: choice({
    env: 'SANDBOX_RUNTIME',
    of: ['local', 'off'],
    default: 'local',
    doc: 'Whether a server with controllers starts `flotilla sandboxd`, which runs the workloads of sandboxes on this machine (local).',
  }),
  sandboxUnisolated: flag({
    env: 'SANDBOX_UNISOLATED',
    shared: true,
    default: false,
    doc: 'Whether sandboxes of the class process start, which has no wall: their programs can use an API without a token and read files of the machine. See docs/sandbox-security.md.',
  }),
  sandboxSnapshotApi: choice({
    env: 'SANDBOX_SNAPSHOT_API',
    shared: true,
    of: ['on', 'off'],
    default: 'on',
    doc: 'Whether planes accept the fields and kinds of sandboxes that agent-sandbox has not released: suspension strategies, snapshots, and automatic suspension. off rejects them with a 422 that names them.',
  }),
  sandboxdDir: optionalText({
    env: 'SANDBOXD',
    member: 'dir',
    former: 'SANDBOXD_DIR',
    doc: 'Directory of `flotilla sandboxd`: records, socket, files of sandboxes, local snapshots. Default: `sandboxd` in DATA_DIR.',
  }),
  sandboxdListen: commaList({
    env: 'SANDBOXD',
    member: 'listen',
    former: 'SANDBOXD_LISTEN',
    default: [],
    doc: 'Endpoints of `flotilla sandboxd` in addition to its socket: `https://0.0.0.0:9443` (needs `tls-cert`, `tls-key` and `tls-ca`) or `unix:/path`.',
  }),
  sandboxdEndpoint: optionalText({
    env: 'SANDBOXD',
    member: 'endpoint',
    former: 'SANDBOXD_ENDPOINT',
    doc: 'Endpoint that `flotilla sandboxd` registers, as the server reaches it. Default: the first of `listen`, else its socket.',
  }),
  sandboxdTlsCertFile: optionalText({
    env: 'SANDBOXD',
    member: 'tls-cert',
    former: 'SANDBOXD_TLS_CERT_FILE',
    doc: 'PEM file with the certificate for mutual TLS between servers and `flotilla sandboxd`. Both sides need one.',
  }),
  sandboxdTlsKeyFile: optionalText({
    env: 'SANDBOXD',
    member: 'tls-key',
    former: 'SANDBOXD_TLS_KEY_FILE',
    doc: 'PEM file with the private key of `tls-cert`.',
  }),
  sandboxdTlsCaFile: optionalText({
    env: 'SANDBOXD',
    member: 'tls-ca',
    former: 'SANDBOXD_TLS_CA_FILE',
    doc: 'PEM file with the authority that signs the certificates of the other side.',
  }),
  sandboxdCapacity: integer({
    env: 'SANDBOXD',
    member: 'capacity',
    former: 'SANDBOXD_CAPACITY',
    min: 1,
    max: 10_000,
    default: 250,
    doc: 'Maximum number of sandboxes that run or are frozen on this machine at the same time.',
  }),
  sandboxdDrivers: {
    env: 'SANDBOXD',
    member: 'drivers',
    former: 'SANDBOXD_DRIVERS',
    type: 'JSON array of {name, endpoint}',
    default: [] as readonly DriverAddress[],
    doc: 'Snapshot drivers of other programs on this machine: `[{"name":"my-driver","endpoint":"unix:/run/my-driver.sock"}]`.',
    read: readDriverAddresses,
  },
  sandboxdStoreRoots: commaList({
    env: 'SANDBOXD',
    member: 'store-roots',
    former: 'SANDBOXD_STORE_ROOTS',
    default: [],
    doc: 'Directories that local stores of snapshots may be in. Default: `snapshots` in `dir`.',
  }),
  sandboxEncryptionKeys: {
    env: 'SANDBOX_ENCRYPTION_KEYS',
    type: 'comma list of id:key',
    default: [] as readonly EncryptionKey[],
    doc: 'Keys that encrypt snapshots (`2026:<32 bytes in base64>`), with a derived key per namespace. The first one encrypts, all decrypt. Keys that a server derives from SECRETS_ENCRYPTION_KEY follow for the runtime that it starts. Without any, snapshots are stored as they are.',
    read: readEncryptionKeys,
  },
  sandboxdKeepWorkloads: flag({
    env: 'SANDBOXD',
    member: 'keep-workloads',
    former: 'SANDBOXD_KEEP_WORKLOADS',
    default: false,
    doc: 'Whether the workloads of sandboxes continue when a server stops the `flotilla sandboxd` that it started.',
  }),
  sandboxdServer: optionalText({
    env: 'SANDBOXD',
    member: 'server',
    former: 'SANDBOXD_SERVER',
    doc: 'URL of the server that `flotilla sandboxd` registers with (`https://flotilla.example.com`). If unset, it does not register.',
  }),
  sandboxdTokenFile: optionalText({
    env: 'SANDBOXD',
    member: 'token-file',
    former: 'SANDBOXD_TOKEN_FILE',
    doc: 'File with the bearer token for `server`. It is read again for every request.',
  }),
} as const satisfies Record<string, Setting<unknown>>

/** The configuration of a server with sandboxes. */
export type SandboxConfig = FoundationConfig &
  ValuesOf<typeof SANDBOX_SETTINGS> &
  ReturnType<typeof deriveSnapshots>
