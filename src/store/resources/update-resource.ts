import type { Resource } from '../model/resource.ts'
import { FIELD_LIST } from '../model/resource-fields.ts'
import type { Database } from '../database/database.ts'
import { conditionMap } from './resource-row.ts'

const PATCHED = FIELD_LIST.filter(({ name, patchable }) => patchable === true && name !== 'refs')
const FIRST = 9
const SET = PATCHED.map(({ column, type }, index) => `${column} = $${FIRST + index}::${type}`)

const UPDATE_RESOURCE = {
  name: 'update_resource',
  text: `
    update resources set
      generation = $3::integer,
      version = $4::bigint,
      conditions = $5::json,
      cond = $6::jsonb,
      updated_time = $7::timestamptz,
      updated_by = $8::text,
      ${SET.join(', ')}
    where id = $1::text and version = $2::bigint
    returning id`,
}

/**
 * Writes the fields that a PATCH may change, except references. Returns false if the version is no
 * longer `readVersion`, from which the caller computed `next`.
 */
export async function updateResource(
  database: Database,
  next: Resource,
  readVersion: bigint,
): Promise<boolean> {
  const rows = await database.execute(UPDATE_RESOURCE, [
    next.id,
    readVersion,
    next.generation,
    next.version,
    JSON.stringify(next.conditions),
    JSON.stringify(conditionMap(next.conditions)),
    next.updatedTime,
    next.updatedBy,
    ...PATCHED.map(({ name }) => JSON.stringify(next[name])),
  ])
  return rows.length === 1
}
