import { NO_TENANT } from '../../model/tenant.ts'
import type { Database } from '../database/database.ts'
import { isStorableText } from '../database/storable-text.ts'

/** A root resource without its content. */
export interface RootResource {
  readonly id: string
  readonly name: string
  readonly createdTime: Date
  readonly tenant: string
}

/** An ID takes precedence over a name. Names belong to resources without a tenant. */
const FIND_ROOT = {
  name: 'find_root',
  text: `
    select id, name, created_time as "createdTime", tenant from (
      select id, name, created_time, tenant, 1 as priority from resources
      where id = $2::text and kind = $1::text and owner_id = ''
      union all
      select id, name, created_time, tenant, 2 from resources
      where tenant = '${NO_TENANT}' and kind = $1::text and owner_id = '' and name = $2::text
        and deleted_time is null
    ) as found
    order by priority limit 1`,
}

/** Finds a root resource by its ID, else by the name of a live one. */
export async function findRoot(
  database: Database,
  kind: string,
  reference: string,
): Promise<RootResource | null> {
  if (!isStorableText(reference)) return null
  return (await database.execute<RootResource>(FIND_ROOT, [kind, reference]))[0] ?? null
}
