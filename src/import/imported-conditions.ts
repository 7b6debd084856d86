import type { JsonObject, JsonValue } from '../lib/json/json.ts'
import { numberOf, objectOf, objectsOf, optionalText, textOf } from '../lib/json/json-fields.ts'
import { preciseDateOf } from '../lib/precise-date.ts'
import { compareText } from '../lib/text/compare-text.ts'
import { initialConditions } from '../hyperfleet/statuses/conditions/synthesis/initial-conditions.ts'
import { recomputeConditions } from '../hyperfleet/statuses/conditions/synthesis/recompute-conditions.ts'
import {
  AGGREGATED_TYPES,
  type ConditionStatus,
  type ResourceCondition,
} from '../store/model/condition.ts'
import type { Resource } from '../store/model/resource.ts'
import type { StatusRecord } from '../store/model/status-record.ts'
import type { RegisteredKind } from '../store/registry/kind.ts'
import type { SourceResource } from './source.ts'

const AGGREGATED: ReadonlySet<string> = new Set(AGGREGATED_TYPES)

type Uncomputed = Pick<
  Resource,
  'generation' | 'deletedTime' | 'requiredAdapters' | 'createdTime' | 'updatedTime'
>

interface Reported {
  readonly resource: Uncomputed
  readonly records: readonly StatusRecord[]
}

/**
 * The conditions of an imported resource: those of the source, and the aggregated ones of the other
 * family, which follow from the reports. The result depends on the source only.
 */
export function importedConditions(
  kind: RegisteredKind,
  { resource, records }: Reported,
  source: SourceResource,
): readonly ResourceCondition[] {
  if (kind.statusHooks === undefined) return []
  const found = new Map(
    sourceConditions(source, resource.createdTime).map((each) => [each.type, each]),
  )
  const now = latestOf([
    resource.updatedTime,
    ...records.map(({ lastReportTime }) => lastReportTime),
  ])
  const initial = initialConditions(resource.createdTime)
  const previous = initial.map((condition) => found.get(condition.type) ?? condition)
  const isInitial = records.length === 0 && resource.generation === 1
  const computed = isInitial
    ? previous
    : recomputeConditions(
        kind,
        { ...resource, conditions: previous },
        {
          records,
          cause: records.length === 0 ? 'spec-change' : 'report',
          now,
        },
      )
  const aggregated = computed
    .filter(({ type }) => AGGREGATED.has(type))
    .map((condition) => found.get(condition.type) ?? condition)
  const others = [...found.values()].filter(({ type }) => !AGGREGATED.has(type))
  return [...aggregated, ...others.toSorted((a, b) => compareText(a.type, b.type))]
}

function latestOf(times: readonly Date[]): Date {
  return times.reduce((latest, time) => (time > latest ? time : latest))
}

/** `otherwise` stands for times that are none. */
function sourceConditions(source: SourceResource, otherwise: Date): readonly ResourceCondition[] {
  return objectsOf(objectOf(source['status'])['conditions']).flatMap((condition) => {
    const status = conditionStatus(condition)
    return status === null ? [] : [conditionOf(condition, status, otherwise)]
  })
}

function conditionOf(
  condition: JsonObject,
  status: ConditionStatus,
  otherwise: Date,
): ResourceCondition {
  const timeOf = (field: string): string => sixDigitTime(condition[field], otherwise)
  const reason = optionalText(condition['reason'])
  const message = optionalText(condition['message'])
  return {
    type: textOf(condition['type']),
    status,
    ...(reason !== null && { reason }),
    ...(message !== null && { message }),
    observed_generation: numberOf(condition['observed_generation']),
    created_time: timeOf('created_time'),
    last_updated_time: timeOf('last_updated_time'),
    last_transition_time: timeOf('last_transition_time'),
  }
}

/** Six fractional digits, as all times of the server. */
function sixDigitTime(value: JsonValue | undefined, otherwise: Date): string {
  const time = preciseDateOf(textOf(value))
  return (Number.isNaN(time.getTime()) ? otherwise : time).toISOString()
}

/** Null if the status is none of the three. */
export function conditionStatus(condition: JsonObject): ConditionStatus | null {
  const { status } = condition
  return status === 'True' || status === 'False' || status === 'Unknown' ? status : null
}
