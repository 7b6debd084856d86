import type { Content, Manifest, PublishedOperation } from './manifest.ts'
import { type CompareSchemas, createSchemaComparison, type Side } from './schema-removals.ts'

/** Makes `npm run publish-openapi` accept a manifest that breaks published clients. */
export const ALLOW_REMOVALS = '--allow-removals'
/** Advice that follows a list of removals. */
export const REMOVAL_ADVICE = `clients of the published document depend on this: restore it or, if the removal is intended, run npm run publish-openapi -- ${ALLOW_REMOVALS}`

/**
 * Lists the changes that can break clients of the published version, one sentence each. Additions
 * are not listed.
 */
export function removalsOf(published: Manifest, current: Manifest): readonly string[] {
  const compare = createSchemaComparison(published.schemas, current.schemas)
  const servers = published.servers.filter((url) => !current.servers.includes(url))
  const schemas = Object.keys(published.schemas).filter((name) => !(name in current.schemas))
  return [
    ...new Set([
      ...servers.map((url) => `server ${url} is gone`),
      ...Object.entries(published.operations).flatMap(([name, operation]) => {
        const now = current.operations[name]
        if (now !== undefined) return operationRemovals({ name, operation, now, compare })
        return [`${name} is gone`]
      }),
      ...schemas.map((name) => `schema ${name} is gone`),
    ]),
  ]
}

interface OperationPair {
  readonly name: string
  /** As published. */
  readonly operation: PublishedOperation
  readonly now: PublishedOperation
  readonly compare: CompareSchemas
}

function operationRemovals(pair: OperationPair): readonly string[] {
  const { name, operation, now } = pair
  return [
    ...(now.operationId === operation.operationId
      ? []
      : [`${name} was the operation ${operation.operationId} and is ${now.operationId} now`]),
    ...(operation.public && !now.public ? [`${name} needs a token now`] : []),
    ...parameterRemovals(pair),
    ...bodyRemovals(pair),
    ...responseRemovals(pair),
  ]
}

function parameterRemovals({ name, operation, now, compare }: OperationPair): readonly string[] {
  const kept = Object.entries(operation.parameters).flatMap(([parameter, { required, schema }]) => {
    const place = `${name}: parameter ${parameter}`
    const known = now.parameters[parameter]
    if (known === undefined) return [`${place} is gone`]
    return [
      ...(known.required && !required ? [`${place} is required now`] : []),
      ...compare({ place, published: schema, current: known.schema, side: 'request' }),
    ]
  })
  const added = Object.entries(now.parameters)
    .filter(([parameter, { required }]) => required && !(parameter in operation.parameters))
    .map(([parameter]) => `${name}: parameter ${parameter} is new and required`)
  return [...kept, ...added]
}

function bodyRemovals({ name, operation, now, compare }: OperationPair): readonly string[] {
  const place = `${name}: body`
  const required = now.body?.required === true && operation.body?.required !== true
  return [
    ...(required ? [`${place} is required now`] : []),
    ...contentRemovals(compare, {
      place,
      published: operation.body?.content ?? {},
      current: now.body?.content ?? {},
      side: 'request',
    }),
  ]
}

function responseRemovals({ name, operation, now, compare }: OperationPair): readonly string[] {
  return Object.entries(operation.responses).flatMap(([status, { headers, content }]) => {
    const place = `${name}: response ${status}`
    const response = now.responses[status]
    if (response === undefined) return [`${place} is gone`]
    return [
      ...headers
        .filter((header) => !response.headers.includes(header))
        .map((header) => `${place}: header ${header} is gone`),
      ...contentRemovals(compare, {
        place,
        published: content,
        current: response.content,
        side: 'response',
      }),
    ]
  })
}

interface ContentPair {
  readonly place: string
  readonly published: Content
  readonly current: Content
  readonly side: Side
}

function contentRemovals(
  compare: CompareSchemas,
  { place, published, current, side }: ContentPair,
): readonly string[] {
  return Object.entries(published).flatMap(([type, schema]) => {
    const now = current[type]
    if (now === undefined) return [`${place} as ${type} is gone`]
    return compare({ place, published: schema, current: now, side })
  })
}
