import { compareText } from '../../lib/text/compare-text.ts'
import type { JsonObject } from '../../lib/json/json.ts'
import type { DeclaredSubresource, ResourceType, ResourceVersion } from '../model/resource-type.ts'
import type { Operation } from './operations/operation.ts'
import { resourceOperations } from './operations/resource-operations.ts'
import { LIST_META, META, OBJECT_META } from './schemas/component-names.ts'
import { defineKind, markKinds, objectSchema } from './schemas/kind-schemas.ts'
import {
  DELETE_OPTIONS,
  LIST_METADATA,
  METADATA,
  PATCH,
  SCALE,
  STATUS,
  WATCH_EVENT,
} from './schemas/meta-schemas.ts'
import { contentHash } from '../discovery/serialized-document.ts'
import { typesHash } from './type-hash.ts'
import { type Components, define, type OpenApiFormat } from './schemas/render-schema.ts'
import { jsonText } from '../../lib/json/json-text.ts'

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
  return contentOf(served, format, sharedBy(served))
}

/** A part of the document of all group versions. Equal hashes mean equal content. */
export interface DocumentPart {
  readonly hash: string
  readonly content: () => DocumentContent
}

/** The parts of the document of all group versions: one for native types, one per custom type. */
export function documentParts(
  types: readonly ResourceType[],
  format: OpenApiFormat,
): readonly DocumentPart[] {
  const natives = types.filter(({ isCustom }) => !isCustom)
  const shared = sharedBy(servedVersions(types))
  return [
    {
      hash: `${typesHash(natives)} ${contentHash(jsonText(shared))}`,
      content: () => contentOf(servedVersions(natives), format, shared),
    },
    ...types
      .filter(({ isCustom }) => isCustom)
      .map((type) => ({
        hash: typesHash([type]),
        content: () => customContent(type, format),
      })),
  ]
}

type Served = ReturnType<typeof servedVersions>

/** The properties of all served versions on which the shared definitions depend. */
interface Shared {
  readonly versions: readonly GroupVersion[]
  readonly hasScale: boolean
}

function sharedBy(served: Served): Shared {
  const versions = [
    { group: '', version: 'v1' },
    ...served.map(({ type, version }) => ({ group: type.group, version: version.name })),
  ]
  const unique = new Map(versions.map((item) => [`${item.group}/${item.version}`, item]))
  return {
    versions: [...unique].toSorted(([a], [b]) => compareText(a, b)).map(([, item]) => item),
    hasScale: served.some(({ version }) => version.scale !== null),
  }
}

function contentOf(served: Served, format: OpenApiFormat, shared: Shared): DocumentContent {
  const components: Components = { format, definitions: new Map() }
  const operations = operationsOf(served, components)
  defineShared(shared, components)
  return { paths: pathsOf(operations), definitions: sorted(components.definitions) }
}

/** The content of a custom type without the definitions that all types share. */
function customContent(type: ResourceType, format: OpenApiFormat): DocumentContent {
  const components: Components = { format, definitions: new Map() }
  define(OBJECT_META, METADATA, components)
  define(LIST_META, LIST_METADATA, components)
  const shared = new Set(components.definitions.keys())
  const operations = operationsOf(servedVersions([type]), components)
  for (const name of shared) components.definitions.delete(name)
  return { paths: pathsOf(operations), definitions: sorted(components.definitions) }
}

/** Adds the definitions of the types and returns their operations. */
function operationsOf(served: Served, components: Components): readonly Operation[] {
  return served.flatMap(({ type, version }) => {
    defineKind(type, version, components)
    for (const subresource of type.subresources ?? []) defineBodies(subresource, components)
    return resourceOperations(type, version)
  })
}

function defineBodies(subresource: DeclaredSubresource, components: Components): void {
  const { schema, body, created } = subresource
  for (const other of [body, created]) {
    if (other?.definition !== undefined) define(other.definition, other, components)
  }
  if (schema?.definition === undefined) return
  const hasObjectMeta = schema.properties?.['metadata']?.definition === undefined
  const isObject = schema.properties?.['metadata'] !== undefined && hasObjectMeta
  const shown = isObject ? objectSchema(schema, components.format) : schema
  define(schema.definition, shown, components)
  markKinds(components, schema.definition, [subresource])
}

/** Adds the definitions that all groups share. */
function defineShared({ versions, hasScale }: Shared, components: Components): void {
  for (const schema of [DELETE_OPTIONS, LIST_METADATA, METADATA, PATCH, STATUS, WATCH_EVENT]) {
    if (schema.definition !== undefined) define(schema.definition, schema, components)
  }
  for (const kind of ['DeleteOptions', 'WatchEvent']) {
    const kinds = versions.map((version) => ({ ...version, kind }))
    markKinds(components, `${META}.${kind}`, kinds)
  }
  markKinds(components, `${META}.Status`, [{ group: '', version: 'v1', kind: 'Status' }])
  const { definition } = SCALE
  if (!hasScale || definition === undefined) return
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
  return sorted(paths)
}

function sorted<Value>(entries: Iterable<readonly [string, Value]>): (readonly [string, Value])[] {
  return [...entries].toSorted(([a], [b]) => compareText(a, b))
}
