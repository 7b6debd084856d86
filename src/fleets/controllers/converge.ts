import type { Comparison } from '../members/fleet-members.ts'
import { decideStep, isSameStep, type Step } from './decide-step.ts'
import { MAX_FAILURES } from './failed-members.ts'
import { degradedEvent, tallyEvents } from './fleet-events.ts'
import { FINALIZER, FLEETS } from './fleet-resources.ts'
import { fleetStatus } from './fleet-status.ts'
import { type ObservedFleet, observedFleet } from './observed-fleet.ts'
import { decideRecheck, isEmptied } from './decide-recheck.ts'
import type { FleetParts } from './fleet-parts.ts'
import { reportEvents } from './report-events.ts'
import { newTally, runStep, type Tally } from './run-step.ts'

/** Pause between writes of the status during a long reconciliation. */
const STATUS_EVERY_MS = 1000

interface Progress {
  fleet: ObservedFleet
  previous: Step | null
  /** The error of a batch. The status is written before it is thrown. */
  failure: { readonly error: unknown } | null
  statusAt: number
  readonly tally: Tally
}

interface Converged {
  readonly fleet: ObservedFleet
  readonly recheckMs: number | null
}

/** Compares and changes members until no change is left. */
export async function converge(parts: FleetParts, fleet: ObservedFleet): Promise<Converged> {
  const { timers } = parts
  const tally = newTally()
  const statusAt = timers.now()
  const progress: Progress = { fleet, previous: null, failure: null, statusAt, tally }
  try {
    return await repeatSteps(parts, progress)
  } finally {
    await reportEvents(parts, progress.fleet, tallyEvents(tally))
  }
}

async function repeatSteps(parts: FleetParts, progress: Progress): Promise<Converged> {
  const { members, failed, timers } = parts
  for (;;) {
    const { ref } = progress.fleet
    const failures = failed.of(ref)
    const comparison = await members.compare(ref, [...failures.keys()].slice(0, MAX_FAILURES))
    if (isEmptied(progress.fleet, comparison)) {
      await removeFinalizer(parts, progress.fleet)
      return { fleet: progress.fleet, recheckMs: null }
    }
    const step = nextStep(progress, comparison, failures.size)
    if (step === null || timers.now() >= progress.statusAt + STATUS_EVERY_MS) {
      await writeStatus(parts, progress, comparison)
    }
    if (progress.failure !== null) throw progress.failure.error
    if (step === null) return ended(parts, progress, comparison)
    await attemptStep(parts, progress, step)
  }
}

/** Null if nothing is left to do, or if the previous step has failed or changed nothing. */
function nextStep(
  { fleet, previous, failure }: Progress,
  comparison: Comparison,
  failures: number,
): Step | null {
  const decided = decideStep(fleet, comparison)
  if (decided === null || failure !== null || isSameStep(decided, previous)) return null
  if (failures < MAX_FAILURES) return decided
  const rest = { ...decided, create: [] }
  return isSameStep(rest, previous) ? null : rest
}

async function attemptStep(parts: FleetParts, progress: Progress, step: Step): Promise<void> {
  const { members, failed } = parts
  const { ref } = progress.fleet
  progress.previous = step
  const onFailed = (failures: readonly (readonly [string, string])[]): void =>
    failed.add(ref, failures)
  await runStep({ members, fleet: ref, tally: progress.tally, onFailed }, step).catch(
    (error: unknown) => {
      progress.failure = { error }
    },
  )
}

function ended(
  { failed, timers }: FleetParts,
  progress: Progress,
  comparison: Comparison,
): Converged {
  const { fleet } = progress
  const state = {
    fleet,
    comparison,
    retryMs: failed.retryAfter(fleet.ref),
    isStuck: isStuck(progress, comparison),
  }
  return { fleet, recheckMs: decideRecheck(state, timers.clock()) }
}

/** Members with kinds that only newer servers know are left to these. */
function isStuck({ fleet, previous }: Progress, comparison: Comparison): boolean {
  const decided = decideStep(fleet, comparison)
  if (decided === null || !isSameStep(decided, previous)) return false
  return decideStep(fleet, { ...comparison, undeclared: [] }) !== null
}

/** Writes the status if it has changed. */
async function writeStatus(
  parts: FleetParts,
  progress: Progress,
  comparison: Comparison,
): Promise<void> {
  const { client, failed, timers, onWritten } = parts
  const { fleet } = progress
  progress.statusAt = timers.now()
  const state = { fleet, comparison, failures: failed.of(fleet.ref) }
  const status = fleetStatus(state, timers.clock())
  if (status === null) return
  const written = await client.updateSubresource(FLEETS, 'status', { ...fleet.object, status })
  onWritten(fleet.ref.name, written.metadata.resourceVersion ?? '')
  progress.fleet = observedFleet(written)
  const event = degradedEvent(state)
  if (event !== null && !isReported(fleet, event.message)) await reportEvents(parts, fleet, [event])
}

function isReported({ status }: ObservedFleet, message: string): boolean {
  const conditions = Array.isArray(status['conditions']) ? status['conditions'] : []
  return conditions.some((condition) => condition.message === message)
}

async function removeFinalizer({ client }: FleetParts, { object }: ObservedFleet): Promise<void> {
  const { finalizers = [] } = object.metadata
  const rest = finalizers.filter((finalizer) => finalizer !== FINALIZER)
  if (rest.length === finalizers.length) return
  await client.update(FLEETS, { ...object, metadata: { ...object.metadata, finalizers: rest } })
}
