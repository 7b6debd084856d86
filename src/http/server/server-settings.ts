import {
  duration,
  flag,
  integer,
  optionalText,
  port,
  type Setting,
  text,
  readInteger,
  retired,
} from '../../lib/settings/setting.ts'

/** Settings of the listeners and of requests. */
export const SERVER_SETTINGS = {
  host: text({
    env: 'HOST',
    default: '127.0.0.1',
    doc: 'Address of all three listeners. An address other than loopback requires JWT settings or AUTH_DISABLED=true.',
  }),
  port: port({
    env: 'PORT',
    opensLast: true,
    default: 8000,
    doc: 'Port of the API. 0 selects a free port; the log shows it.',
  }),
  healthPort: port({
    env: 'HEALTH_PORT',
    default: 8080,
    doc: 'Port of /healthz, /livez and /readyz.',
  }),
  metricsPort: port({ env: 'METRICS_PORT', default: 9090, doc: 'Port of /metrics.' }),
  tlsCertFile: optionalText({
    env: 'TLS',
    member: 'cert',
    former: 'TLS_CERT_FILE',
    doc: 'PEM file with the certificate of the API, followed by its intermediates. The API is then served over HTTPS only, and the file is read again when it changes. The health and metrics ports stay on plain HTTP.',
  }),
  tlsKeyFile: optionalText({
    env: 'TLS',
    member: 'key',
    former: 'TLS_KEY_FILE',
    doc: 'PEM file with the private key of `cert`.',
  }),
  tlsSelfSigned: flag({
    env: 'TLS',
    member: 'self-signed',
    former: 'TLS_SELF_SIGNED',
    default: false,
    doc: 'Serve the API over HTTPS with a self-signed certificate, for local use. The server creates it in DATA_DIR; clients trust DATA_DIR/tls/ca.crt.',
  }),
  bodyLimitBytes: integer({
    env: 'BODY_LIMIT_BYTES',
    shared: true,
    min: 1024,
    default: 1_048_576,
    doc: 'Maximum size of a request body. A bulk creation may have 16 MiB, or this if it is more, and each of its items has this limit.',
  }),
  watchLimit: integer({
    env: 'WATCHES',
    member: 'limit',
    former: 'WATCH_LIMIT',
    divided: 'workers',
    min: 0,
    default: 10_000,
    doc: 'Maximum number of open watches. Further requests fail with 429.',
  }),
  watchHeartbeat: duration({
    env: 'WATCHES',
    member: 'heartbeat',
    former: 'WATCH_HEARTBEAT',
    default: '15s',
    doc: 'Interval between bookmarks or comments that show that a watch is alive, with its resource version.',
  }),
  watchMaxAge: duration({
    env: 'WATCHES',
    member: 'max-age',
    former: 'WATCH_MAX_AGE',
    default: '1h',
    doc: 'Maximum age of a watch. It ends at a random time between half of this and this; the client resumes.',
  }),
  watchBufferBytes: retired({
    env: 'WATCH_BUFFER_BYTES',
    doc: '1 MiB may wait for a client',
    read: (value) => readInteger(value, { min: 1024 }),
  }),
  watchTotalBufferBytes: retired({
    env: 'WATCH_TOTAL_BUFFER_BYTES',
    doc: '256 MiB may wait for all clients',
    read: (value) => readInteger(value, { min: 16_777_216 }),
  }),
  bulkBodyLimitBytes: retired({
    env: 'BULK_BODY_LIMIT_BYTES',
    shared: true,
    doc: 'it is 16 MiB, or BODY_LIMIT_BYTES if that is more',
    read: (value) => readInteger(value, { min: 1024 }),
  }),
} as const satisfies Record<string, Setting<unknown>>
