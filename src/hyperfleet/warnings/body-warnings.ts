import type { Request, RequestHandler } from 'express'
import { stepsInTurns } from '../../lib/async/steps.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import type { KindRoute } from '../../store/registry/kind-routes.ts'
import { bodySchemaOf } from '../../http/validation/operation-address.ts'
import { resolvePath } from '../../http/validation/schema-path.ts'
import { ref } from '../wire/schema-reference.ts'
import { FoundMembers, ignoredMembers } from './ignored-members.ts'
import { reportWarnings } from './report-warnings.ts'
import { setWarnings } from './warning-header.ts'

/** The first warnings about a body, of the number of all. */
interface Warnings {
  readonly texts: readonly string[]
  readonly count: number
}

/** Warns of fields of a valid body that are ignored. Null is the usual result. */
type FindWarnings = (body: JsonValue) => Promise<Warnings> | null

const REPORTS: ReadonlySet<string> = new Set(['report-status', 'put-status'])

/**
 * The stage after validation that lists ignored fields of the body in `Warning`. Everything is
 * prepared once per route, because heartbeats pass here.
 */
export function bodyWarnings(
  document: JsonObject,
  route: KindRoute,
  types: readonly string[],
): RequestHandler {
  const byType = new Map(types.map((type) => [type, ignoredWarnings(document, route, type)]))
  const ofReport = REPORTS.has(route.verb) ? reportWarnings : null
  return (request: Request, response, next) => {
    const body: JsonValue = request.body
    const ofThis = ofReport && isJsonObject(body) ? ofReport(body) : NONE
    const ignored = byType.get(request.headers['content-type'] ?? '')?.(body) ?? null
    const warn = (texts: readonly string[], count: number): void => {
      setWarnings(response, texts, count)
      next()
    }
    if (ignored === null) return warn(ofThis, ofThis.length)
    return ignored.then(({ texts, count }) => warn([...ofThis, ...texts], ofThis.length + count))
  }
}

const NONE: readonly string[] = []

function ignoredWarnings(document: JsonObject, route: KindRoute, type: string): FindWarnings {
  const schema = checkedSchema(document, route, type)
  const ignored = schema && ignoredMembers(document, schema)
  if (!ignored) return () => null
  const readOnly = readOnlyMembers(document, route)
  const textOf = (path: string): string => {
    const reason = readOnly.has(path.replace(ITEM, ''))
      ? 'is set by the server'
      : 'is not known here'
    return `member '${path}' ${reason} and is ignored`
  }
  const find = async (body: JsonValue): Promise<Warnings> => {
    const found = new FoundMembers()
    await stepsInTurns(ignored.find(body, found))
    return { texts: found.paths.map(textOf), count: found.count }
  }
  return (body) => (ignored.some(body) ? find(body) : null)
}

/** The path of an item of a bulk creation. */
const ITEM = /^items\[\d+\]\./

/** The schema of a valid body. In the document, the items of a bulk creation can be any objects. */
function checkedSchema(document: JsonObject, route: KindRoute, type: string): JsonObject | null {
  const schema = bodySchemaOf(document, route, type)
  if (route.verb !== 'create-many') return schema
  const items = { type: 'array', items: ref(`${route.kind.kind}CreateRequest`) }
  return { type: 'object', additionalProperties: false, properties: { items } }
}

const CREATIONS: ReadonlySet<KindRoute['verb']> = new Set(['create', 'create-many', 'upsert'])

/** Fields of a resource that a creation cannot set. */
function readOnlyMembers(document: JsonObject, { verb, kind }: KindRoute): ReadonlySet<string> {
  if (!CREATIONS.has(verb)) return new Set()
  const reference = { $ref: `#/components/schemas/${kind.kind}` }
  const { properties } = resolvePath(document, reference, []).schema
  return new Set(isJsonObject(properties) ? Object.keys(properties) : [])
}
