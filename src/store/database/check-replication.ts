import type { Database } from './database.ts'

const REPLICATION = {
  name: 'replication_settings',
  text: `
    select current_setting('synchronous_commit') as commit,
      current_setting('synchronous_standby_names') as standbys`,
}

/** Values of synchronous_commit with which a commit waits until a standby has flushed it. */
const DURABLE = ['on', 'remote_apply']

interface Replication {
  /** Why acknowledged commits may be lost in every failover; null if they are not. */
  readonly problem: string | null
  /** Whether no standby is synchronous at the moment. */
  readonly isAlone: boolean
}

/** Checks whether sessions of the database commit as `synchronous` of DATABASE_OPTIONS requires. */
export async function checkReplication(database: Database): Promise<Replication> {
  const rows = await database.execute<{ commit: string; standbys: string }>(REPLICATION, [])
  const commit = rows.map((row) => row.commit).find((value) => !DURABLE.includes(value))
  return {
    problem:
      commit === undefined
        ? null
        : `synchronous_commit is ${commit}, so a failover can lose acknowledged writes: set it to on`,
    isAlone: rows.some(({ standbys }) => standbys === ''),
  }
}
