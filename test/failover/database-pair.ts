import { chown, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDatabaseDirectory } from '../support/database-directory.ts'
import {
  type PostgresProcess,
  runPostgresProgram,
  startPostgresProcess,
} from './postgres-process.ts'
import { postgresAccount } from '../storage/postgres-account.ts'
import { startSwitchProxy } from './switch-proxy.ts'

/** A primary with a standby, behind one address. */
export interface DatabasePair extends AsyncDisposable {
  /** The address of the current primary. */
  readonly url: string
  readonly primary: PostgresProcess
  standby: PostgresProcess
  /** Kills the standby, so that later commits do not reach it. */
  stopStandby(): Promise<void>
  /** Makes the standby the primary of the address; existing connections stay open. */
  promote(): Promise<void>
  /** Leads new connections to this server. */
  route(server: PostgresProcess): void
  /** Kills the primary, and promotes the standby. */
  failOver(): Promise<void>
}

/** Starts PostgreSQL 15 from Debian's package twice, with streaming replication. */
export async function startDatabasePair({
  isSynchronous,
}: {
  readonly isSynchronous: boolean
}): Promise<DatabasePair> {
  const account = await postgresAccount()
  const folder = await createDatabaseDirectory('flotilla-pair-')
  const owner = account.uid
  if (owner !== undefined) await chown(folder, owner, account.gid ?? owner)
  const [first, second] = [path.join(folder, '1'), path.join(folder, '2')]
  const form = ['--encoding=UTF8', '--locale=C', '--auth=trust', '--username=flotilla']
  await runPostgresProgram('initdb', ['-D', first, ...form, '--no-sync'], account)
  const primary = await startPostgresProcess(first, account)
  await runPostgresProgram(
    'pg_basebackup',
    ['-D', second, '-d', primary.url, '-R', '--checkpoint=fast', '--no-sync'],
    account,
  )
  const proxy = await startSwitchProxy(primary.socket)
  const pair: DatabasePair = {
    url: `postgresql://flotilla@127.0.0.1:${proxy.port}/postgres`,
    primary,
    standby: await startPostgresProcess(second, account),
    stopStandby: () => pair.standby.kill(),
    route: (server) => proxy.route(server.socket),
    promote: async () => {
      // A statement that waits for the promotion can conflict with the replay of the rest of the log.
      await pair.standby.query('select pg_promote(false)')
      const inRecovery = 'select 1 where pg_is_in_recovery()'
      while ((await pair.standby.query(inRecovery)).length > 0) await sleep(50)
      proxy.route(pair.standby.socket)
    },
    failOver: async () => {
      await primary.kill()
      await pair.standby.kill()
      pair.standby = await startPostgresProcess(second, account)
      await pair.promote()
      proxy.cut()
    },
    [Symbol.asyncDispose]: async () => {
      await proxy[Symbol.asyncDispose]()
      await Promise.all([primary.kill(), pair.standby.kill()])
      await rm(folder, { recursive: true, force: true })
    },
  }
  await until(pair, `select 1 from pg_stat_replication where state = 'streaming'`)
  if (isSynchronous) {
    await primary.query(`alter system set synchronous_standby_names = '*'`)
    await primary.query('select pg_reload_conf()')
    await until(pair, `select 1 from pg_stat_replication where sync_state = 'sync'`)
  }
  return pair
}

async function until({ primary }: DatabasePair, condition: string): Promise<void> {
  while ((await primary.query(condition)).length === 0) await sleep(50)
}
