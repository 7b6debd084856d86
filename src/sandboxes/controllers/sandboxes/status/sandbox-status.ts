import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from 'flotilla'
import { type DecidedCondition, timedConditions } from 'flotilla/controllers'
import type { SandboxState } from '../../../storage/sandbox-state.ts'
import type { ObservedSandbox } from '../model/observed-sandbox.ts'
import { recordedImage } from '../operations/required-image.ts'
import { sandboxConditions } from './sandbox-conditions.ts'
import type { ConditionFacts } from './condition-facts.ts'

interface Options {
  readonly now: Date
  /** The machine of the runtime; empty if unknown. */
  readonly machine: string
}

/** The status of a sandbox; null if it is the current one. */
export function sandboxStatus(
  sandbox: ObservedSandbox,
  facts: ConditionFacts,
  { now, machine }: Options,
): JsonObject | null {
  const { status, spec, ref } = sandbox
  const { state } = facts
  const decided = sandboxConditions(facts)
  const conditions = timedConditions(current(status['conditions'], decided), decided, {
    now,
    generation: spec.generation,
  })
  const next = withoutUndefined({
    ...status,
    ...instanceFields(state, machine),
    observedGeneration: spec.generation,
    selector: `agents.x-k8s.io/sandbox-name-hash=${ref.name}`,
    snapshot: state?.details['snapshot'],
    boot: state?.boot ?? undefined,
    restarts: numberOf(state?.details['restarts']),
    exitCode: numberOf(state?.details['exitCode']),
    suspendedTime: state?.suspendedBy ? seconds(state.details['suspendedTime']) : undefined,
    lastActivityTime: seconds(state?.lastActivityTime?.toISOString()),
    conditions,
  })
  return isSameJson(next, status) ? null : next
}

/** Fields that exist only while the workload runs or is frozen. */
function instanceFields(state: SandboxState | null, machine: string) {
  const isPresent = state !== null && (state.phase === 'Running' || state.phase === 'Frozen')
  const address = state?.details['address']
  const hasAddress = isPresent && typeof address === 'string' && address !== ''
  return {
    runtime: state?.runtime ?? undefined,
    isolationClass: state?.isolationClass ?? undefined,
    imageDigest: (state && recordedImage(state.details)?.digest) ?? undefined,
    instance: isPresent ? (state.instanceId ?? undefined) : undefined,
    nodeName: isPresent ? machine || (state.runtime ?? undefined) : undefined,
    podIPs: hasAddress ? [address] : undefined,
  }
}

/** Without the conditions that no longer apply, such as Finished after a restart. */
function current(
  conditions: JsonValue | undefined,
  decided: readonly DecidedCondition[],
): readonly JsonValue[] {
  if (!Array.isArray(conditions)) return []
  const types = new Set<JsonValue | undefined>(decided.map(({ type }) => type))
  return conditions.filter((condition) => {
    const type = isJsonObject(condition) ? condition['type'] : undefined
    return types.has(type) || !OPTIONAL_TYPES.has(type)
  })
}

const OPTIONAL_TYPES: ReadonlySet<JsonValue | undefined> = new Set([
  'Finished',
  'Restored',
  'LimitsEnforced',
])

function withoutUndefined(fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const entries = Object.entries(fields).filter(
    (entry): entry is [string, JsonValue] => entry[1] !== undefined,
  )
  return Object.fromEntries(entries)
}

function numberOf(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined
}

/** A time with the precision of Kubernetes. */
function seconds(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? `${value.slice(0, 19)}Z` : undefined
}
