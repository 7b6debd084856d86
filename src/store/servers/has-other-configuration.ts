import type { Database } from '../database/database.ts'
import { LIVE_SERVERS_SINCE } from './live-servers.ts'

const HAS_OTHER_CONFIGURATION = {
  name: 'has_other_configuration',
  text: `
    select exists (
      select from servers
      where fingerprint <> $1::text and seen_time >= ${LIVE_SERVERS_SINCE}) as differs`,
}

/** Whether a live server has a configuration with another fingerprint. */
export async function hasOtherConfiguration(
  database: Database,
  fingerprint: string,
): Promise<boolean> {
  const [row] = await database.execute<{ differs: boolean }>(HAS_OTHER_CONFIGURATION, [fingerprint])
  return row?.differs === true
}
