import type { Database } from '../../store/database/database.ts'

/** The number of instances on each runtime, for placement. */
export async function countInstances(database: Database): Promise<ReadonlyMap<string, number>> {
  const groups = await database.withPrisma('count_sandbox_instances', (prisma) =>
    prisma.sandboxState.groupBy({
      by: 'runtime',
      where: { runtime: { not: null }, instanceId: { not: null } },
      _count: true,
    }),
  )
  return new Map(groups.map(({ runtime, _count: instances }) => [runtime ?? '', instances]))
}
