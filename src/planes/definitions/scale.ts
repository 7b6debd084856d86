import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import { invalidValue } from '../errors/field-errors.ts'
import { badRequest, objectInvalid } from '../errors/failures.ts'
import type { ApiObject } from '../model/api-object.ts'
import type { ScalePaths } from '../model/resource-type.ts'
import { objectOf, textOf } from '../../lib/json/json-fields.ts'

/** The kind of the body of the scale subresource. */
export const SCALE_KIND = { group: 'autoscaling', version: 'v1', kind: 'Scale' } as const

const MAX_REPLICAS = 2 ** 31 - 1

/** The scale of an object, as `autoscaling/v1` shows it. */
export function scaleOf(object: ApiObject, paths: ScalePaths): ApiObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata
  const replicas = numberAt(object, paths.specReplicasPath)
  const selector = paths.labelSelectorPath ? valueAt(object, paths.labelSelectorPath) : undefined
  return {
    apiVersion: 'autoscaling/v1',
    kind: SCALE_KIND.kind,
    metadata: {
      ...(name !== undefined && { name }),
      ...(namespace !== undefined && { namespace }),
      ...(uid !== undefined && { uid }),
      ...(resourceVersion !== undefined && { resourceVersion }),
      ...(creationTimestamp !== undefined && { creationTimestamp }),
    },
    spec: { replicas: replicas ?? 0 },
    status: {
      replicas: numberAt(object, paths.statusReplicasPath) ?? 0,
      ...(typeof selector === 'string' && selector !== '' && { selector }),
    },
  }
}

/** The object with the number of replicas of a scale. Throws 400 or 422 if the scale is invalid. */
export function withScale(object: ApiObject, scale: JsonObject, paths: ScalePaths): ApiObject {
  if (textOf(scale['kind']) !== 'Scale' || textOf(scale['apiVersion']) !== 'autoscaling/v1') {
    throw badRequest('wrong object passed to Scale update: it must be autoscaling/v1, Kind=Scale')
  }
  const { replicas = 0 } = objectOf(scale['spec'])
  const isValid = Number.isInteger(replicas) && Number(replicas) <= MAX_REPLICAS
  const { name = '' } = object.metadata
  if (!isValid || Number(replicas) < 0) {
    const detail = isValid ? 'should be a non-negative integer' : 'must be a 32-bit integer'
    const error = invalidValue('spec.replicas', replicas, detail)
    throw objectInvalid(SCALE_KIND, name, [error])
  }
  const { resourceVersion } = objectOf(scale['metadata'])
  const changed = withValue(object, stepsOf(paths.specReplicasPath), replicas)
  return {
    ...changed,
    apiVersion: object.apiVersion,
    kind: object.kind,
    metadata: {
      ...object.metadata,
      ...(typeof resourceVersion === 'string' && { resourceVersion }),
    },
  }
}

/** The names of a simple path such as `.spec.replicas`. */
function stepsOf(path: string): readonly string[] {
  return path.split('.').filter((step) => step !== '')
}

function numberAt(object: JsonObject, path: string): number | null {
  const value = valueAt(object, path)
  return typeof value === 'number' ? value : null
}

function valueAt(object: JsonObject, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = object
  for (const step of stepsOf(path)) {
    if (!isJsonObject(value) || !Object.hasOwn(value, step)) return undefined
    value = value[step]
  }
  return value
}

function withValue(object: JsonObject, steps: readonly string[], value: JsonValue): JsonObject {
  const [step, ...rest] = steps
  if (step === undefined) return object
  const member = rest.length === 0 ? value : withValue(objectOf(object[step]), rest, value)
  const others = Object.entries(object).filter(([name]) => name !== step)
  return Object.fromEntries([...others, [step, member]])
}
