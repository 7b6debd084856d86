import { NO_TENANT, type TenantScope } from '../../access/tenant.ts'
import type { Database } from '../database/database.ts'
import { isStorableText } from '../database/storable-text.ts'

const FIND_ROOT_BY_NAME = {
  name: 'find_root_by_name',
  text: `
    select id from resources
    where tenant = $1::text and kind = $2::text and owner_id = '' and name = $3::text
      and deleted_time is null`,
}

/** A child has its parent's tenant, which the index of names starts with. */
const FIND_CHILD_BY_NAME = {
  name: 'find_child_by_name',
  text: `
    select id from resources
    where tenant = (select tenant from resources where id = $4::text)
      and kind = $2::text and owner_id = $4::text and name = $3::text and deleted_time is null
      and ($1::text is null or tenant = $1::text)`,
}

/** The name of a resource in a request; `ownerId` is null for a root kind. */
export interface ResourceName {
  /** Names of roots are unique within a tenant. If null, the name belongs to NO_TENANT. */
  readonly tenant: TenantScope
  readonly kind: string
  readonly ownerId: string | null
  readonly name: string
}

/** Returns the id of the resource with this name that is not being deleted, or null. */
export async function findIdByName(
  database: Database,
  { tenant, kind, ownerId, name }: ResourceName,
): Promise<string | null> {
  if (!isStorableText(name) || !isStorableText(ownerId ?? '')) return null
  const rows =
    ownerId === null
      ? await database.execute<{ id: string }>(FIND_ROOT_BY_NAME, [tenant ?? NO_TENANT, kind, name])
      : await database.execute<{ id: string }>(FIND_CHILD_BY_NAME, [tenant, kind, name, ownerId])
  return rows[0]?.id ?? null
}
