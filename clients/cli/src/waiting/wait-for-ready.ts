import type { KindDescription } from '../../../typescript/src/index.ts'
import { CliError } from '../errors/cli-error.ts'
import { openProgress } from '../output/progress.ts'
import { readinessOf } from '../resources/readiness-of.ts'
import { adaptersBehind } from '../resources/adapters-behind.ts'
import type { Session } from '../session/session.ts'
import type { Resource } from '../targets/resource.ts'
import type { PendingResource } from './pending-resource.ts'
import { readiness } from './readiness.ts'
import { timedOut } from './timed-out.ts'
import { watchResources } from './watch-resources.ts'
import { withTimeLimit } from './with-time-limit.ts'

const MAX_EXPLAINED = 5

/** Waits until resources are ready at their current generation, with a progress line. */
export async function waitForReady(
  session: Session,
  resources: readonly PendingResource[],
  timeoutMs: number,
): Promise<void> {
  if (resources.length === 0) return
  const kinds = await session.kinds()
  const pending = resources.filter((one) => hasReadiness(one, kinds))
  const latest = new Map<string, Resource>()
  const outcome = await withTimeLimit(session, timeoutMs, (signal) =>
    watchUntilReady(session, { pending, kinds, latest, signal }),
  )
  if (!outcome.isExpired) return
  const unready = [...latest.values()].filter((one) => !isReady(one))
  const sentences: string[] = []
  for (const resource of unready.slice(0, MAX_EXPLAINED)) {
    sentences.push((await readiness(session, resource, kinds))?.sentence ?? '')
  }
  const seconds = timeoutMs / 1000
  throw timedOut(
    `${unready.length} of ${pending.length} were not ready after ${seconds} s`,
    sentences,
  )
}

interface Wait {
  readonly pending: readonly PendingResource[]
  readonly kinds: readonly KindDescription[]
  /** Receives the resources by ID. */
  readonly latest: Map<string, Resource>
  readonly signal: AbortSignal
}

async function watchUntilReady(session: Session, wait: Wait): Promise<void> {
  const { pending, kinds, latest, signal } = wait
  using progress = openProgress(session.err)
  await watchResources(session, {
    resources: pending,
    signal,
    onEvent: (event) => {
      if (!('object' in event)) return latest.size === pending.length && allReady(latest)
      if (event.type === 'DELETED') throw removed(event.object)
      requireAdapters(event.object, kinds)
      latest.set(event.object.id, event.object)
      progress.update(progressText(pending, latest, kinds))
      return latest.size === pending.length && allReady(latest)
    },
  })
}

/** Whether adapters report on the kind. */
function hasReadiness({ target }: PendingResource, kinds: readonly KindDescription[]): boolean {
  return kinds.find((one) => one.kind === target.kind)?.has_statuses === true
}

/** The adapters that a resource requires. */
function requiredOf(
  { kind, required_adapters: declared }: Resource,
  kinds: readonly KindDescription[],
): readonly string[] {
  return declared ?? kinds.find((one) => one.kind === kind)?.required_adapters ?? []
}

/** A resource without required adapters would never become ready, unless it declares that. */
function requireAdapters(resource: Resource, kinds: readonly KindDescription[]): void {
  if (isReady(resource) || requiredOf(resource, kinds).length > 0) return
  const { kind, name } = resource
  throw new CliError(`${kind} '${name}' cannot become ready: its kind has no required adapters`, {
    hint: 'The change itself stays. Leave out --wait, or set the required adapters of the server.',
  })
}

function progressText(
  pending: readonly PendingResource[],
  latest: ReadonlyMap<string, Resource>,
  kinds: readonly KindDescription[],
): string {
  const all = [...latest.values()]
  const waiting = all.find((one) => !isReady(one))
  if (waiting === undefined) return `${all.length} of ${pending.length} ready`
  const required = requiredOf(waiting, kinds)
  const behind = adaptersBehind(waiting, required)
  const adapters = `adapters ${required.length - behind.length} of ${required.length}`
  const missing = behind.length === 0 ? '' : `, waiting for ${behind.join(', ')}`
  const text = `${waiting.name}: ${adapters}${missing}`
  if (pending.length === 1) return text
  return `${all.filter(isReady).length} of ${pending.length} ready; ${text}`
}

function allReady(latest: ReadonlyMap<string, Resource>): boolean {
  return [...latest.values()].every(isReady)
}

function isReady(resource: Resource): boolean {
  const ready = readinessOf(resource)
  return ready?.status === 'True' && ready.observed_generation >= resource.generation
}

function removed({ kind, name }: Resource): CliError {
  return new CliError(`${kind} '${name}' was removed during the wait`, { exit: 'notFound' })
}
