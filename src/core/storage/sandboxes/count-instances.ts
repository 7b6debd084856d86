import type { Database } from '../database/database.ts'

const COUNT_INSTANCES = {
  name: 'count_sandbox_instances',
  text: `
    select runtime, count(*)::integer as instances
    from sandbox_states
    where runtime is not null and instance_id is not null
    group by runtime`,
}

/** The number of instances on each runtime, for placement. */
export async function countInstances(database: Database): Promise<ReadonlyMap<string, number>> {
  const rows = await database.execute<{ runtime: string; instances: number }>(COUNT_INSTANCES, [])
  return new Map(rows.map(({ runtime, instances }) => [runtime, instances]))
}
