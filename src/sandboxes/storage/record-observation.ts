import type { SandboxProgress, SandboxState } from './sandbox-state.ts'
import type { Database } from '../../store/database/database.ts'
import { inputJson } from '../../store/database/prisma-values.ts'
import { stateOf } from './state-row.ts'

/**
 * Records what a runtime reported between operations, such as the exit of a workload. Null if the
 * row has changed since it was read: each begin and each step of an operation raises the version.
 */
export async function recordObservation(
  database: Database,
  { uid, version }: Pick<SandboxState, 'uid' | 'version'>,
  progress: SandboxProgress,
): Promise<SandboxState | null> {
  const { phase, runtime, instanceId, suspendedBy, snapshot, workloadDigest } = progress
  const { boot, details, isolationClass } = progress
  const [changed] = await database.withPrisma('record_sandbox_observation', (prisma) =>
    prisma.sandboxState.updateManyAndReturn({
      where: { uid, version },
      data: {
        version: { increment: 1 },
        phase,
        runtime,
        instanceId,
        suspendedBy,
        snapshotName: snapshot?.name ?? null,
        snapshotUid: snapshot?.uid ?? null,
        workloadDigest,
        boot,
        details: inputJson(details),
        isolationClass,
      },
    }),
  )
  return changed ? stateOf(changed) : null
}
