import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { must } from '../../../src/lib/assert.ts'
import { createDatabaseDirectory } from '../../support/database-directory.ts'
import { postgresAccount } from '../../storage/postgres-account.ts'
import { Skipped } from '../drill.ts'
import { createNetwork, type Machine, type Network, startLocally } from './network.ts'

const CONFIGURATION = fileURLToPath(new URL('../../../deploy/ha/', import.meta.url))
const FOLDERS = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin']
export const BINARIES = '/usr/lib/postgresql/15/bin'
const MACHINES = ['database1', 'database2']
const HEALTHY_MS = 90_000
const POLL_MS = 200

/** PostgreSQL on two machines, with Patroni, etcd and HAProxy as deploy/ha configures them. */
export interface DatabaseCluster extends AsyncDisposable {
  /** The URL of the primary, through HAProxy. */
  readonly url: string
  readonly machines: readonly Machine[]
  /** The folder of the log files. */
  readonly logs: string
  /** The machine that holds the leader's lock. */
  primary(): Promise<Machine>
  /** Starts Patroni on a machine whose processes were killed. */
  restart(machine: Machine): void
  /** Waits until one machine is the primary and the other one streams from it. */
  untilHealthy(): Promise<void>
}

interface Options {
  readonly isSynchronous: boolean
}

/** The state of the cluster as Patroni's REST interface shows it. */
interface Member {
  readonly name: string
  readonly role: string
  readonly state: string
}

/** Starts the cluster and creates the database `flotilla`. */
export async function startDatabaseCluster(options: Options): Promise<DatabaseCluster> {
  requireTools()
  const logs = await mkdtemp(path.join(os.tmpdir(), 'flotilla-failover-'))
  const folder = await createDatabaseDirectory('flotilla-ha-')
  const { uid = 0, gid = 0 } = await postgresAccount()
  await chown(folder, uid, gid)
  const network = await createNetwork(MACHINES)
  const parts: AsyncDisposable[] = [startEtcd(network, folder, logs), startProxy(network, logs)]
  const cluster = clusterOf(network, { ...options, folder, logs, parts })
  try {
    for (const machine of network.machines) {
      await mkdir(path.join(folder, machine.name))
      await chown(path.join(folder, machine.name), uid, gid)
      cluster.restart(machine)
    }
    const primary = await untilPrimary(cluster)
    await setMode(primary, options)
    await createDatabase(primary)
    await cluster.untilHealthy()
    return cluster
  } catch (error) {
    await cluster[Symbol.asyncDispose]()
    throw new Error(`the cluster did not start, its logs are in ${logs}`, { cause: error })
  }
}

function requireTools(): void {
  if (process.getuid?.() !== 0) throw new Skipped('network namespaces need root')
  for (const name of ['patroni', 'etcd', 'haproxy', 'ip', 'setpriv']) findProgram(name)
  if (!existsSync(`${BINARIES}/postgres`)) throw new Skipped('PostgreSQL 15 is not installed')
}

/** Debian's programs of administrators are not in every PATH. */
function findProgram(name: string): string {
  const found = FOLDERS.map((folder) => path.join(folder, name)).find((file) => existsSync(file))
  if (found === undefined) throw new Skipped(`${name} is not installed`)
  return found
}

/** The first primary exists before its standby. */
async function untilPrimary(cluster: DatabaseCluster): Promise<Machine> {
  const end = performance.now() + HEALTHY_MS
  for (;;) {
    try {
      return await cluster.primary()
    } catch (error) {
      if (performance.now() > end) throw error
      await sleep(POLL_MS)
    }
  }
}

interface Parts {
  readonly isSynchronous: boolean
  readonly folder: string
  readonly logs: string
  readonly parts: readonly AsyncDisposable[]
}

function clusterOf(
  network: Network,
  { folder, logs, parts, isSynchronous }: Parts,
): DatabaseCluster {
  const { machines, address } = network
  const cluster: DatabaseCluster = {
    url: `postgresql://flotilla:secret@${address}:5000/flotilla`,
    machines,
    logs,
    primary: async () => must(await findPrimary(machines), 'a primary'),
    restart: (machine) => startPatroni(machine, { folder, logs, etcd: `${address}:2379` }),
    untilHealthy: async () => {
      const end = performance.now() + HEALTHY_MS
      while (!(await isHealthy(machines, isSynchronous))) {
        if (performance.now() > end) throw new Error('the cluster did not become healthy')
        await sleep(POLL_MS)
      }
    },
    [Symbol.asyncDispose]: async () => {
      await network[Symbol.asyncDispose]()
      for (const part of parts) await part[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
  return cluster
}

function startEtcd({ address }: Network, folder: string, logs: string): AsyncDisposable {
  const client = `http://${address}:2379`
  const command = [
    findProgram('etcd'),
    `--data-dir=${path.join(folder, 'etcd')}`,
    '--enable-v2',
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=http://${address}:2380`,
  ]
  return startLocally(command, {}, path.join(logs, 'etcd.log'))
}

function startProxy({ address, machines }: Network, logs: string): AsyncDisposable {
  const command = [findProgram('haproxy'), '-db', '-f', path.join(CONFIGURATION, 'haproxy.cfg')]
  const env = {
    DATABASE_PROXY_ADDRESS: address,
    DATABASE1: machines[0]?.address,
    DATABASE2: machines[1]?.address,
  }
  return startLocally(command, env, path.join(logs, 'haproxy.log'))
}

interface PatroniOptions {
  readonly folder: string
  readonly logs: string
  readonly etcd: string
}

function startPatroni(machine: Machine, { folder, logs, etcd }: PatroniOptions): void {
  const { name, address } = machine
  const env = {
    PATH: '/usr/bin:/bin',
    LANG: 'C.UTF-8',
    PATRONI_NAME: name,
    PATRONI_ETCD_HOSTS: etcd,
    PATRONI_RESTAPI_CONNECT_ADDRESS: `${address}:8008`,
    PATRONI_POSTGRESQL_CONNECT_ADDRESS: `${address}:5432`,
    PATRONI_POSTGRESQL_DATA_DIR: path.join(folder, name, 'data'),
    PATRONI_POSTGRESQL_PGPASS: path.join(folder, name, 'pgpass'),
    PATRONI_POSTGRESQL_BIN_DIR: BINARIES,
    PATRONI_SUPERUSER_USERNAME: 'postgres',
    PATRONI_SUPERUSER_PASSWORD: 'secret',
    PATRONI_REPLICATION_USERNAME: 'replicator',
    PATRONI_REPLICATION_PASSWORD: 'secret',
  }
  const command = [findProgram('patroni'), path.join(CONFIGURATION, 'patroni.yml')]
  machine.start(command, env, path.join(logs, `${name}.log`))
}

/** The members of the cluster as a machine knows them; empty if it does not answer. */
async function readMembers({ address }: Machine): Promise<readonly Member[]> {
  try {
    const signal = AbortSignal.timeout(2000)
    const response = await fetch(`http://${address}:8008/cluster`, { signal })
    const { members = [] }: { members?: Member[] } = Object(await response.json())
    return members
  } catch {
    return []
  }
}

/** Null unless all machines that answer agree: a former primary needs time to notice that it is one. */
async function findPrimary(machines: readonly Machine[]): Promise<Machine | null> {
  const views = await Promise.all(machines.map((machine) => readMembers(machine)))
  const leaders = views.flatMap((members) => members.filter(({ role }) => role === 'leader'))
  const [name, ...others] = new Set(leaders.map((leader) => leader.name))
  return others.length > 0 ? null : (machines.find((machine) => machine.name === name) ?? null)
}

async function isHealthy(machines: readonly Machine[], isSynchronous: boolean): Promise<boolean> {
  const views = await Promise.all(machines.map((machine) => readMembers(machine)))
  // Patroni promotes only a standby that has this role, which it gets after it is synchronous.
  const standby = isSynchronous ? 'sync_standby' : 'replica'
  const isComplete = views.every(
    (members) =>
      members.length === machines.length &&
      members.every(({ state }) => state === 'running' || state === 'streaming') &&
      members.some(({ role }) => role === standby),
  )
  const primary = await findPrimary(machines)
  return isComplete && primary !== null && (await isReplicating(primary, isSynchronous))
}

/** Whether the other machine streams, and is synchronous if it must be. */
async function isReplicating(primary: Machine, isSynchronous: boolean): Promise<boolean> {
  const client = administrator(primary)
  try {
    await client.connect()
    const { rows } = await client.query(
      `select 1 from pg_stat_replication where state = 'streaming' and sync_state = $1::text`,
      [isSynchronous ? 'sync' : 'async'],
    )
    return rows.length > 0
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Changes the configuration of the cluster, as `patronictl edit-config` does. */
async function setMode({ address }: Machine, { isSynchronous }: Options): Promise<void> {
  const response = await fetch(`http://${address}:8008/config`, {
    method: 'PATCH',
    body: JSON.stringify({ synchronous_mode: isSynchronous }),
  })
  if (!response.ok) throw new Error(`Patroni rejects the configuration: ${response.status}`)
}

/** A client of the PostgreSQL server on a machine. */
export function administrator({ address }: Machine, database = 'postgres'): pg.Client {
  return new pg.Client({
    connectionString: `postgresql://postgres:secret@${address}:5432/${database}`,
    connectionTimeoutMillis: 2000,
    query_timeout: 5000,
  })
}

async function createDatabase(primary: Machine): Promise<void> {
  const client = administrator(primary)
  await client.connect()
  try {
    await client.query(`create role flotilla login password 'secret'`)
    await client.query('create database flotilla owner flotilla')
  } finally {
    await client.end()
  }
}
