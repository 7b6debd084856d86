import type { Database } from '../database/database.ts'

/** The lock's key is arbitrary, but must be the same in all versions. */
const LOCK = { name: 'lock_signing_keys', text: 'select pg_advisory_xact_lock(7300411927)' }

const INSERT_SIGNING_KEY = {
  name: 'insert_signing_key',
  text: `
    insert into signing_keys (id, private_key, created_time)
    select $1::text, $2::text, clock_timestamp()
    where not exists (
      select from signing_keys
      where created_time > clock_timestamp() - make_interval(secs => $3::float8)
    )
    returning id`,
}

const DROP_SIGNING_KEYS = {
  name: 'drop_signing_keys',
  text: `
    delete from signing_keys as old
    where exists (
      select from signing_keys as newer
      where newer.created_time > old.created_time
        and newer.created_time < clock_timestamp() - make_interval(secs => $1::float8)
    )`,
}

interface Rotation {
  readonly id: string
  /** As stored, possibly encrypted. */
  readonly privateKey: string
  /** A key of this age in seconds has a successor. */
  readonly interval: number
  /** The seconds for which a key verifies tokens after its successor was created. */
  readonly retention: number
}

/**
 * Adds a key unless another server has added one within the interval, and removes keys whose
 * tokens have all expired. Returns whether it added the key. The lock makes concurrent servers
 * agree on one key.
 */
export async function rotateSigningKeys(database: Database, rotation: Rotation): Promise<boolean> {
  const { id, privateKey, interval, retention } = rotation
  return database.transaction(async (locked) => {
    await locked.execute(LOCK, [])
    const added = await locked.execute(INSERT_SIGNING_KEY, [id, privateKey, interval])
    await locked.execute(DROP_SIGNING_KEYS, [retention])
    return added.length > 0
  })
}
