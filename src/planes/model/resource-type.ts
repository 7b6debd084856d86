import type { JsonValue } from '../../lib/json/json.ts'
import type { ApiObject } from './api-object.ts'
import type { Schema } from './schema.ts'

export type Verb =
  | 'get'
  | 'list'
  | 'watch'
  | 'create'
  | 'update'
  | 'patch'
  | 'delete'
  | 'deletecollection'

/** A column of the resource's table, as definitions declare it. */
export interface PrinterColumn {
  readonly name: string
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date'
  readonly format?: string
  readonly description?: string
  /** 0 is always shown; higher ones only in wide tables. */
  readonly priority?: number
  /** Simple JSONPath, such as `.spec.replicas`. Empty if `cell` computes the value. */
  readonly jsonPath: string
  /** The value of columns that no path can express, such as a count. Only in native types. */
  readonly cell?: (object: ApiObject, now: Date) => JsonValue
}

/** The syntax of the names of a resource's objects. */
export type NameRule = 'dns-subdomain' | 'dns-label' | 'path-segment'

/** The paths of the scale subresource's values, in simple form, such as `.spec.replicas`. */
export interface ScalePaths {
  readonly specReplicasPath: string
  readonly statusReplicasPath: string
  readonly labelSelectorPath?: string
}

/** A version in which a resource is served or stored. */
export interface ResourceVersion {
  readonly name: string
  readonly served: boolean
  /** Warning of a deprecated version; absent if it is current. */
  readonly deprecationWarning?: string
  /** Schema of the whole object. `metadata` is an object without further description. */
  readonly schema: Schema
  readonly printerColumns: readonly PrinterColumn[]
  /** Field selectors in addition to name and namespace: paths such as `spec.host`. */
  readonly selectableFields: readonly string[]
  /** Other names of fields in selectors: paths, the first of which with a text counts. */
  readonly fieldAliases?: Readonly<Record<string, string>>
  readonly hasStatus: boolean
  readonly scale: ScalePaths | null
}

/** A query parameter of a subresource. */
export interface DeclaredParameter {
  readonly name: string
  readonly type: 'string' | 'integer' | 'boolean'
  readonly description: string
}

/** A subresource other than status and scale, for discovery and OpenAPI. */
export interface DeclaredSubresource {
  readonly name: string
  /** Group, version and kind of the bodies. */
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly verbs: readonly Verb[]
  /** Schema of the bodies if they are not those of the resource. */
  readonly schema?: Schema
  /** Schema of the bodies of requests if it differs from `schema`. */
  readonly body?: Schema
  /** Schema of the responses to POST if it differs from `schema`. */
  readonly created?: Schema
  /** Content types of the responses; JSON and YAML if absent. */
  readonly produces?: readonly string[]
  /** Query parameters of GET. */
  readonly parameters?: readonly DeclaredParameter[]
}

/** A resource that a plane serves, native or defined at run time. */
export interface ResourceType {
  /** Empty for the core group. */
  readonly group: string
  readonly plural: string
  readonly singular: string
  readonly kind: string
  readonly listKind: string
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly namespaced: boolean
  /** `dns-subdomain` if absent. */
  readonly nameRule?: NameRule
  readonly verbs: readonly Verb[]
  /** The preferred version first. */
  readonly versions: readonly ResourceVersion[]
  readonly storageVersion: string
  /** Whether objects have `metadata.generation`. Absent: if the schema has a spec. */
  readonly hasGeneration?: boolean
  /** Whether writes of the status also change the metadata. Absent: they do not. */
  readonly statusSetsMetadata?: boolean
  readonly subresources?: readonly DeclaredSubresource[]
  /** Whether a definition created it at run time. */
  readonly isCustom: boolean
  /** The definition of a custom resource: it must exist when an object is created. */
  readonly definition?: { readonly name: string; readonly uid: string }
  /** Whether strategic merge patches are accepted. Absent: unless the resource is custom. */
  readonly mergesStrategically?: boolean
  /** Converts an object to another version. Absent: versions differ only in their name. */
  readonly convert?: (object: ApiObject, version: string) => ApiObject
  /**
   * Undeclared fields that are rejected with a hint, whatever `fieldValidation` says: paths such
   * as `spec.strategy`, each with the remedy. Only in native types.
   */
  readonly rejectedFields?: Readonly<Record<string, string>>
}

/** Whether the resource accepts strategic merge patches. Others answer 415. */
export function mergesStrategically(
  type: Pick<ResourceType, 'isCustom' | 'mergesStrategically'>,
): boolean {
  return type.mergesStrategically ?? !type.isCustom
}

/** The key of a resource in storage: the plural, and the group if there is one. */
export function resourceKey({ group, plural }: Pick<ResourceType, 'group' | 'plural'>): string {
  return group === '' ? plural : `${plural}.${group}`
}

/** `v1` or `apps/v1`. */
export function apiVersionOf(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`
}
