import type { Database } from '../../store/database/database.ts'

interface Renewal {
  readonly ids: readonly string[]
  readonly holder: string
  readonly leaseSeconds: number
  readonly now: Date
}

/** Renews the leases of running operations. Returns those that the holder still has. */
export async function renewOperations(
  database: Database,
  { ids, holder, leaseSeconds, now }: Renewal,
): Promise<ReadonlySet<string>> {
  const leaseExpiresTime = new Date(now.getTime() + leaseSeconds * 1000)
  const renewed = await database.withPrisma('renew_sandbox_operations', (prisma) =>
    prisma.sandboxOperation.updateManyAndReturn({
      where: { id: { in: [...ids] }, holder, finishedTime: null },
      data: { leaseExpiresTime },
      select: { id: true },
    }),
  )
  return new Set(renewed.map(({ id }) => id))
}
