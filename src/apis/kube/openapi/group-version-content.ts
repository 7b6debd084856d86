import { compareText } from '../../../lib/compare-text.ts'
import type { JsonObject } from '../../../lib/json/json.ts'
import type { ResourceType, ResourceVersion } from '../model/resource-type.ts'
import type { Operation } from './operations/operation.ts'
import { resourceOperations } from './operations/resource-operations.ts'
import { META } from './schemas/component-names.ts'
import { defineKind, markKinds, objectSchema } from './schemas/kind-schemas.ts'
import { DELETE_OPTIONS, PATCH, SCALE, STATUS, WATCH_EVENT } from './schemas/meta-schemas.ts'
import { type Components, define, type OpenApiFormat } from './schemas/render-schema.ts'

/** A group and one of its versions. */
export interface GroupVersion {
  /** Empty for the core group. */
  readonly group: string
  readonly version: string
}

/** The operations of each path. */
export type PathOperations = readonly [string, readonly [Operation, ...Operation[]]]

/** The paths and definitions of one or several group versions, sorted by name. */
export interface DocumentContent {
  readonly paths: readonly PathOperations[]
  readonly definitions: readonly (readonly [string, JsonObject])[]
}

/** The served versions of the types. */
export function servedVersions(
  types: readonly ResourceType[],
): readonly { readonly type: ResourceType; readonly version: ResourceVersion }[] {
  return types.flatMap((type) =>
    type.versions.filter(({ served }) => served).map((version) => ({ type, version })),
  )
}

/** The content of the document of a group version. */
export function groupVersionContent(
  types: readonly ResourceType[],
  { group, version }: GroupVersion,
  format: OpenApiFormat,
): DocumentContent {
  const served = servedVersions(types).filter(
    (item) => item.type.group === group && item.version.name === version,
  )
  return contentOf(served, format)
}

/** The content of the document of all group versions. */
export function completeContent(
  types: readonly ResourceType[],
  format: OpenApiFormat,
): DocumentContent {
  return contentOf(servedVersions(types), format)
}

function contentOf(
  served: ReturnType<typeof servedVersions>,
  format: OpenApiFormat,
): DocumentContent {
  const components: Components = { format, definitions: new Map() }
  const operations = served.flatMap(({ type, version }) => {
    defineKind(type, version, components)
    for (const subresource of type.subresources ?? []) {
      const { schema } = subresource
      if (schema?.definition === undefined) continue
      define(schema.definition, objectSchema(schema, format), components)
      markKinds(components, schema.definition, [subresource])
    }
    return resourceOperations(type, version)
  })
  defineShared(served, operations, components)
  return {
    paths: pathsOf(operations),
    definitions: [...components.definitions].toSorted(([a], [b]) => compareText(a, b)),
  }
}

/** Adds the definitions that all groups share. */
function defineShared(
  served: ReturnType<typeof servedVersions>,
  operations: readonly Operation[],
  components: Components,
): void {
  for (const schema of [DELETE_OPTIONS, PATCH, STATUS, WATCH_EVENT]) {
    if (schema.definition !== undefined) define(schema.definition, schema, components)
  }
  const versions = [
    { group: '', version: 'v1' },
    ...served.map(({ type, version }) => ({ group: type.group, version: version.name })),
  ]
  const unique = new Map(versions.map((item) => [`${item.group}/${item.version}`, item]))
  const sorted = [...unique].toSorted(([a], [b]) => compareText(a, b)).map(([, item]) => item)
  for (const kind of ['DeleteOptions', 'WatchEvent']) {
    markKinds(
      components,
      `${META}.${kind}`,
      sorted.map((item) => ({ ...item, kind })),
    )
  }
  markKinds(components, `${META}.Status`, [{ group: '', version: 'v1', kind: 'Status' }])
  const { definition = '' } = SCALE
  if (!operations.some(({ response }) => response === definition)) return
  define(definition, SCALE, components)
  markKinds(components, definition, [{ group: 'autoscaling', version: 'v1', kind: 'Scale' }])
}

function pathsOf(operations: readonly Operation[]): readonly PathOperations[] {
  const paths = new Map<string, [Operation, ...Operation[]]>()
  for (const operation of operations) {
    const listed = paths.get(operation.path)
    if (listed) listed.push(operation)
    else paths.set(operation.path, [operation])
  }
  return [...paths].toSorted(([a], [b]) => compareText(a, b))
}
