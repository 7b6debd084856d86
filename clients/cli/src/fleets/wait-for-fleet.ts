import type { Fleet } from '../../../typescript/src/index.ts'
import { CliError } from '../errors/cli-error.ts'
import { progressBar } from '../output/progress-bar.ts'
import type { Session } from '../session/session.ts'
import { pollWithProgress } from '../waiting/poll-with-progress.ts'
import { timedOut } from '../waiting/timed-out.ts'

/** Waits until a fleet has the desired number of ready members and no surplus ones. */
export async function waitForFleet(
  session: Session,
  name: string,
  timeoutMs: number,
): Promise<void> {
  let latest: Fleet | null = null
  const isReached = await pollWithProgress(session, timeoutMs, async ({ signal, showProgress }) => {
    latest = await session.client.getFleet(name, { signal })
    showProgress(`fleet/${name} ${stateText(latest)}`)
    failIfDegraded(latest)
    return isComplete(latest)
  })
  if (isReached) return
  const details = latest === null ? [] : [stateText(latest)]
  throw timedOut(`fleet/${name} was not ready after ${timeoutMs / 1000} s`, details)
}

function stateText({ spec, status }: Fleet): string {
  const bar = progressBar(status.readyReplicas, spec.replicas)
  const surplus = status.replicas - spec.replicas
  return surplus > 0 ? `${bar} ready, ${surplus} to remove` : `${bar} ready`
}

function isComplete({ object, spec, status }: Fleet): boolean {
  const { observedGeneration, readyReplicas } = status
  if (observedGeneration < (object.metadata.generation ?? 0)) return false
  return readyReplicas >= spec.replicas && !isScalingDown(status)
}

/** Claimed members stay until their claims end, which can take any time. */
function isScalingDown({ conditions }: Fleet['status']): boolean {
  const condition = conditions.find(({ type }) => type === 'ScalingDown')
  return condition?.status === 'True' && condition.reason !== 'MembersClaimed'
}

function failIfDegraded({ name, object, status }: Fleet): void {
  const degraded = status.conditions.find(({ type }) => type === 'Degraded')
  const isCurrent = status.observedGeneration >= (object.metadata.generation ?? 0)
  if (degraded?.status !== 'True' || !isCurrent) return
  throw new CliError(`fleet/${name} is degraded: ${degraded.message}`, {
    hint: `'flotilla fleet members ${name} --phase Failed' lists the failed members.`,
  })
}
