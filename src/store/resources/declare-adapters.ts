import type { Resource } from '../model/resource.ts'
import type { Database } from '../database/database.ts'
import { conditionMap } from './resource-row.ts'

const DECLARE_ADAPTERS = {
  name: 'declare_adapters',
  text: `
    update resources set
      required_adapters = declared.required_adapters, conditions = declared.conditions,
      cond = declared.cond, version = declared.version, updated_time = declared.updated_time,
      updated_by = declared.updated_by
    from json_to_recordset($1::json) as declared (
      id text, required_adapters jsonb, conditions json, cond jsonb, version bigint,
      updated_time timestamptz, updated_by text)
    where resources.id = declared.id`,
}

/** Writes the required adapters of resources that `lockTrees` has locked in this transaction. */
export async function declareAdapters(
  database: Database,
  resources: readonly Resource[],
): Promise<void> {
  if (resources.length === 0) return
  const records = resources.map((resource) => ({
    id: resource.id,
    required_adapters: resource.requiredAdapters,
    conditions: resource.conditions,
    cond: conditionMap(resource.conditions),
    version: String(resource.version),
    updated_time: resource.updatedTime,
    updated_by: resource.updatedBy,
  }))
  await database.execute(DECLARE_ADAPTERS, [JSON.stringify(records)])
}
