import type {
  ClassLimits,
  Flow,
  FlowControl,
  FlowRequest,
} from '../../http/fairness/flow-control.ts'
import { DEFAULT_CLASSES, MAX_WAITING } from '../../http/fairness/seats.ts'
import { auditedOperationOf } from '../../http/requests/audited-request.ts'
import { must } from '../../lib/assert.ts'
import type { JsonObject } from '../../lib/json/json.ts'
import {
  numberOf,
  objectOf,
  objectsOf,
  optionalNumber,
  textOf,
} from '../../lib/json/json-fields.ts'
import { isSameJson } from '../../lib/json/same-json.ts'
import { compareText } from '../../lib/text/compare-text.ts'
import type { PlaneConfiguration } from '../../store/objects/model/plane-configuration.ts'
import type { StoredObject } from '../../store/objects/model/stored-object.ts'
import { planePathOf } from '../http/plane-path.ts'
import { FLOW_CONTROL_GROUP } from '../native/flow-control/condition-schema.ts'
import { ROOT_PLANE } from '../planes/root-plane.ts'
import { callerNames } from './caller-names.ts'
import {
  CATCH_ALL,
  DEFAULT_LEVELS,
  DEFAULT_SHARES,
  EXEMPT,
  MANDATORY_SCHEMAS,
} from './default-objects.ts'
import { FLOW_SCHEMAS_KEY } from './flow-schemas.ts'
import { indexRules, type MatchedRequest } from './match-request.ts'
import { PRIORITY_LEVELS_KEY } from './priority-levels.ts'

const KEY = Symbol('flow control')
/** The class of requests for these objects. It is no DNS name, so no level has its name. */
const CORRECTIONS = 'flow_control'
const CORRECTION_LIMITS = must(DEFAULT_CLASSES.get('users'), 'a class')

interface Schema {
  readonly name: string
  readonly precedence: number
  readonly level: string
  /** ByUser, ByNamespace, or empty. */
  readonly method: string
  readonly rules: readonly JsonObject[]
}

/** The classes of the root plane; null as long as its specs are those of every server. */
export function flowControlOf(configuration: PlaneConfiguration): FlowControl | null {
  return configuration.derive(KEY, [FLOW_SCHEMAS_KEY, PRIORITY_LEVELS_KEY], (current) => {
    const schemas = current.objects(FLOW_SCHEMAS_KEY)
    const levels = current.objects(PRIORITY_LEVELS_KEY)
    if (schemas.every(hasSpecOf(MANDATORY_SCHEMAS)) && levels.every(hasSpecOf(DEFAULT_LEVELS))) {
      return null
    }
    return createFlowControl(schemas, levels)
  })
}

/** Whether an object has its default spec. An annotated one is stored, and cannot be deleted. */
function hasSpecOf(defaults: ReadonlyMap<string, JsonObject>) {
  return ({ name, body }: StoredObject): boolean =>
    defaults.has(name) && isSameJson(body['spec'], defaults.get(name))
}

function createFlowControl(
  objects: readonly StoredObject[],
  levels: readonly StoredObject[],
): FlowControl {
  const names = new Set(levels.map(({ name }) => name))
  // The level of a dangling flow schema does not exist: the next one that matches applies.
  const schemas = objects
    .map(compileSchema)
    .filter(({ level }) => names.has(level))
    .toSorted((a, b) => a.precedence - b.precedence || compareText(a.name, b.name))
  const last = schemas.findIndex(({ name }) => name === CATCH_ALL)
  const used = schemas.slice(0, last === -1 ? undefined : last)
  const firstMatch = indexRules(used.map(({ rules }) => rules))
  return {
    classes: new Map([...DEFAULT_CLASSES, ...classesOf(levels), [CORRECTIONS, CORRECTION_LIMITS]]),
    flowOf: (request) => {
      if (isCorrection(request)) {
        return { schema: null, requestClass: CORRECTIONS, key: request.key }
      }
      if (used.length === 0) return null
      const matched = matchedRequest(request)
      const rank = firstMatch(matched)
      return rank === null ? null : flowIn(must(used[rank], 'the schema'), request, matched)
    },
  }
}

function compileSchema({ name, body }: StoredObject): Schema {
  const spec = objectOf(body['spec'])
  return {
    name,
    precedence: numberOf(spec['matchingPrecedence']),
    level: textOf(objectOf(spec['priorityLevelConfiguration'])['name']),
    method: textOf(objectOf(spec['distinguisherMethod'])['type']),
    rules: objectsOf(spec['rules']),
  }
}

/** The limits of the levels. The guaranteed seats of a process are divided by their shares. */
export function classesOf(levels: readonly StoredObject[]): ReadonlyMap<string, ClassLimits> {
  const limited = levels
    .filter(({ name }) => name !== EXEMPT)
    .map(({ name, body }) => ({ name, limits: objectOf(objectOf(body['spec'])['limited']) }))
  const sum = limited.reduce((total, { limits }) => total + sharesOf(limits), 0)
  return new Map(
    limited.map(({ name, limits }) => {
      const seats = Math.ceil((DEFAULT_SHARES * sharesOf(limits)) / Math.max(sum, 1))
      return [name, limitsOf(limits, seats)]
    }),
  )
}

function sharesOf(limits: JsonObject): number {
  return numberOf(limits['nominalConcurrencyShares'])
}

function limitsOf(limits: JsonObject, seats: number): ClassLimits {
  const percent = optionalNumber(limits['borrowingLimitPercent'])
  const { type, queuing } = objectOf(limits['limitResponse'])
  const { handSize, queueLengthLimit } = objectOf(queuing)
  return {
    seats,
    maxSeats: percent === null ? Infinity : seats + Math.round((seats * percent) / 100),
    rejects: type === 'Reject',
    maxWaiting: Math.min(numberOf(handSize) * numberOf(queueLengthLimit), MAX_WAITING),
  }
}

/**
 * Whether a request is for these objects. It has a class that no object changes, so that no
 * configuration prevents its correction.
 */
function isCorrection({ response, caller }: FlowRequest): boolean {
  const { plane, group } = auditedOperationOf(response)
  return group === FLOW_CONTROL_GROUP && plane === ROOT_PLANE && caller?.tenancy.type !== 'tenant'
}

/** The path of a request to a plane has been parsed before authentication. */
function matchedRequest({ request, response, caller }: FlowRequest): MatchedRequest {
  const { path, method } = request
  const names = callerNames(caller)
  const {
    plane,
    resource,
    subresource = '',
    group = '',
    namespace = '',
    verb = '',
  } = auditedOperationOf(response)
  if (plane === undefined || resource === undefined) {
    const below = planePathOf(path)?.path ?? path
    return { names, verb: method.toLowerCase(), resource: null, path: below }
  }
  const name = subresource === '' ? resource : `${resource}/${subresource}`
  return { names, verb, resource: { group, name, namespace }, path }
}

function flowIn(
  { name, level, method }: Schema,
  { response, caller, key }: FlowRequest,
  { resource }: MatchedRequest,
): Flow {
  const requestClass = level === EXEMPT ? null : level
  switch (method) {
    case 'ByUser':
      return { schema: name, requestClass, key: JSON.stringify([name, key]) }
    case 'ByNamespace': {
      // Namespaces of two planes have nothing in common, and `root` is a plane of each tenant.
      const tenant = caller?.tenancy.type === 'tenant' ? caller.tenancy.tenant : null
      const { plane = null } = auditedOperationOf(response)
      const namespace = resource?.namespace ?? null
      const queue = JSON.stringify([name, tenant, plane, namespace])
      return { schema: name, requestClass, key: queue }
    }
    default:
      return { schema: name, requestClass, key: JSON.stringify([name]) }
  }
}
