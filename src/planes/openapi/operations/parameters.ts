import type { JsonObject } from '../../../lib/json/json.ts'
import type { DeclaredParameter } from '../../model/resource-type.ts'

interface Parameter {
  readonly type: 'string' | 'integer' | 'boolean'
  readonly description: string
}

/** The query parameters of all operations. */
export const QUERY_PARAMETERS = {
  allowWatchBookmarks: { type: 'boolean', description: 'Whether a watch sends bookmarks.' },
  continue: { type: 'string', description: 'Token of the next page, from the previous page.' },
  dryRun: { type: 'string', description: 'All to validate the request without storing anything.' },
  fieldManager: { type: 'string', description: 'Name of the manager of the changed fields.' },
  fieldSelector: {
    type: 'string',
    description:
      'A selector to restrict the list of returned objects by their fields. Defaults to everything.',
  },
  fieldValidation: {
    type: 'string',
    description: 'Treatment of unknown and duplicate fields: Ignore, Warn or Strict.',
  },
  force: { type: 'boolean', description: 'Whether an apply takes fields from other managers.' },
  gracePeriodSeconds: { type: 'integer', description: 'It has no effect here.' },
  labelSelector: {
    type: 'string',
    description:
      'A selector to restrict the list of returned objects by their labels. Defaults to everything.',
  },
  limit: { type: 'integer', description: 'Maximum number of objects in the response.' },
  orphanDependents: { type: 'boolean', description: 'Deprecated: use propagationPolicy.' },
  propagationPolicy: {
    type: 'string',
    description: 'Deletion of dependents: Orphan, Background or Foreground.',
  },
  resourceVersion: { type: 'string', description: 'Version of the list, or start of the watch.' },
  resourceVersionMatch: { type: 'string', description: 'Exact or NotOlderThan.' },
  sendInitialEvents: {
    type: 'boolean',
    description: 'Whether a watch first sends all existing objects and a bookmark.',
  },
  timeoutSeconds: { type: 'integer', description: 'Duration of a list or watch in seconds.' },
  timeout: { type: 'string', description: 'How long to wait, such as 30s, which is the default.' },
  wait: {
    type: 'string',
    description: 'A condition such as Ready=True. The response is sent when the status has it.',
  },
  watch: {
    type: 'boolean',
    description:
      'Watch for changes to the described resources and return them as a stream of add, update, and remove notifications. Specify resourceVersion.',
  },
} as const satisfies Readonly<Record<string, Parameter>>

export type QueryParameter = keyof typeof QUERY_PARAMETERS

/** The parameters in paths. */
export const PATH_PARAMETERS = {
  name: { type: 'string', description: 'Name of the object.' },
  namespace: { type: 'string', description: 'Namespace of the objects.' },
} as const satisfies Readonly<Record<string, Parameter>>

export type PathParameter = keyof typeof PATH_PARAMETERS

/** kubectl looks for these in every operation and does not follow references. */
const INLINE: ReadonlySet<string> = new Set(['dryRun', 'fieldManager', 'fieldValidation'])

/** How a version of OpenAPI writes parameters. */
export interface ParameterForm {
  /** The place of the parameters that operations share. */
  readonly root: string
  readonly typed: (type: string) => JsonObject
}

/** A parameter, or a reference to it. */
export function parameterOf(name: QueryParameter | PathParameter, form: ParameterForm): JsonObject {
  return INLINE.has(name) ? renderParameter(name, form) : { $ref: `${form.root}/${name}` }
}

function renderParameter(
  name: QueryParameter | PathParameter,
  { typed }: ParameterForm,
): JsonObject {
  const isPath = name === 'name' || name === 'namespace'
  const { type, description } = isPath ? PATH_PARAMETERS[name] : QUERY_PARAMETERS[name]
  return {
    name,
    in: isPath ? 'path' : 'query',
    description,
    ...(isPath && { required: true }),
    ...typed(type),
  }
}

/** A query parameter that only one operation has. */
export function renderOwnParameter(
  { name, type, description }: DeclaredParameter,
  { typed }: ParameterForm,
): JsonObject {
  return { name, in: 'query', description, ...typed(type) }
}

/** All parameters by name, for the shared part of a document. */
export function sharedParameters(form: ParameterForm): JsonObject {
  const names = [...keysOf(PATH_PARAMETERS), ...keysOf(QUERY_PARAMETERS)]
  return Object.fromEntries(
    names.filter((name) => !INLINE.has(name)).map((name) => [name, renderParameter(name, form)]),
  )
}

function keysOf<Key extends string>(record: Readonly<Record<Key, unknown>>): readonly Key[] {
  const keys: Key[] = []
  for (const key in record) keys.push(key)
  return keys
}
