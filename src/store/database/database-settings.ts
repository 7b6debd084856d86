import {
  choice,
  commaList,
  flag,
  integer,
  milliseconds,
  optionalText,
  type Setting,
  MAX_TIMER_MS,
  readDuration,
  readInteger,
  retired,
} from '../../lib/settings/setting.ts'

/** The settings of the connections to PostgreSQL. */
export const DATABASE_SETTINGS = {
  databaseUrl: optionalText({
    env: 'DATABASE_URL',
    doc: 'PostgreSQL 15 or newer, `postgresql://user:password@host:5432/name`. If unset, the server starts an embedded PostgreSQL in DATA_DIR.',
  }),
  databaseDirectUrl: optionalText({
    env: 'DATABASE_DIRECT_URL',
    doc: 'URL of the same database without a connection pooler, for work that needs a session: notifications, migrations, backups. DATABASE_URL by default.',
  }),
  databasePreparedStatements: choice({
    env: 'DATABASE_OPTIONS',
    member: 'prepared-statements',
    former: 'DATABASE_PREPARED_STATEMENTS',
    of: ['on', 'off'],
    default: 'on',
    doc: '`off` if DATABASE_URL is a pooler in transaction mode that supports neither prepared statements nor startup parameters, such as PgBouncer 1.18. The role or the pooler must then set time zone, jit and statement timeout.',
  }),
  databaseSynchronous: flag({
    env: 'DATABASE_OPTIONS',
    member: 'synchronous',
    former: 'DATABASE_SYNCHRONOUS',
    shared: true,
    default: false,
    doc: 'Whether PostgreSQL acknowledges commits only after a standby has stored them, and only such a standby can become primary. A failover then keeps resource versions valid; otherwise watches get 410. See docs/high-availability.md.',
  }),
  databaseReplicaUrls: commaList({
    env: 'DATABASE_REPLICA_URLS',
    default: [],
    doc: 'URLs of streaming replicas of the database. They serve lists that need not be current: see `replica-reads` of DATABASE_OPTIONS.',
  }),
  replicaReads: choice({
    env: 'DATABASE_OPTIONS',
    member: 'replica-reads',
    former: 'REPLICA_READS',
    of: ['fresh', 'stale'],
    default: 'fresh',
    doc: '`fresh`: replicas serve lists with a minimum version that they have reached, such as `minResourceVersion`. `stale`: they also serve reads of resources without a minimum, which may then lack the last writes.',
  }),
  databasePoolSize: integer({
    env: 'DATABASE_OPTIONS',
    member: 'pool-size',
    former: 'DATABASE_POOL_SIZE',
    divided: 'processes',
    min: 2,
    max: 1000,
    default: 20,
    doc: 'Maximum number of connections to PostgreSQL, and to each replica. Two in five of them serve searches.',
  }),
  statementTimeoutMs: milliseconds({
    env: 'STATEMENT_TIMEOUT_MS',
    min: 100,
    default: 10_000,
    doc: 'Maximum run time of a statement. A search that takes longer fails with 429. A statement waits half of this time for a connection, and a search half of it for other searches. A server of another shard may take twice as long to respond.',
  }),
  databaseConnectTimeoutMs: retired({
    env: 'DATABASE_CONNECT_TIMEOUT_MS',
    doc: 'it is half of STATEMENT_TIMEOUT_MS',
    read: (value) => readInteger(value, { min: 100, max: MAX_TIMER_MS }),
  }),
  replicaMaxLag: retired({
    env: 'REPLICA_MAX_LAG',
    doc: 'a replica may be 10 s behind',
    read: readDuration,
  }),
  searchSlots: retired({
    env: 'SEARCH_SLOTS',
    doc: 'searches use two in five of pool-size of DATABASE_OPTIONS',
    read: (value) => readInteger(value, { min: 1 }),
  }),
  searchWaitMs: retired({
    env: 'SEARCH_WAIT_MS',
    doc: 'it is half of STATEMENT_TIMEOUT_MS',
    read: (value) => readInteger(value, { min: 0, max: MAX_TIMER_MS }),
  }),
} as const satisfies Record<string, Setting<unknown>>
