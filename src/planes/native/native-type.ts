import type { ApiObject } from '../model/api-object.ts'
import {
  apiVersionOf,
  type DeclaredSubresource,
  type NameRule,
  type PrinterColumn,
  type ResourceType,
  type ResourceVersion,
  type ScalePaths,
  type Verb,
} from '../model/resource-type.ts'
import type { Schema } from '../model/schema.ts'
import { API_VERSION, definition, KIND } from './schemas/field-schemas.ts'

const ALL_VERBS: readonly Verb[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
]

/** The declaration of a native resource. */
export interface NativeDeclaration {
  /** Empty for the core group. */
  readonly group: string
  readonly version?: string
  readonly kind: string
  readonly plural: string
  /** Prefix of the definitions in OpenAPI documents, such as `io.k8s.api.core.v1`. */
  readonly definitions: string
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
  readonly namespaced: boolean
  readonly nameRule?: NameRule
  readonly verbs?: readonly Verb[]
  readonly description: string
  /** Fields other than apiVersion, kind and metadata. */
  readonly properties: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly printerColumns: readonly PrinterColumn[]
  readonly selectableFields?: readonly string[]
  /** See `ResourceVersion`. None by default. */
  readonly fieldAliases?: Readonly<Record<string, string>>
  readonly hasStatus?: boolean
  /** Whether writes of the status also change the metadata. False by default. */
  readonly statusSetsMetadata?: boolean
  /** Absent without the subresource. */
  readonly scale?: ScalePaths
  /** True by default. */
  readonly mergesStrategically?: boolean
  /** False by default. */
  readonly hasGeneration?: boolean
  readonly subresources?: readonly DeclaredSubresource[]
  /** None by default. */
  readonly rejectedFields?: Readonly<Record<string, string>>
  /** A version for older clients, which is converted. */
  readonly oldVersion?: OldVersion
}

/** An older version of a native resource. */
interface OldVersion extends Pick<
  NativeDeclaration,
  'definitions' | 'properties' | 'required' | 'printerColumns' | 'scale'
> {
  readonly version: string
  /**
   * Whether objects are stored in this version, which servers of the last release read. It has the
   * fields of the main version then, and is not deprecated. False by default.
   */
  readonly isStored?: boolean
  /**
   * Returns the object with other fields; its apiVersion is replaced. Absent if the fields are those
   * of the main version.
   */
  readonly toStored?: (object: ApiObject) => ApiObject
  readonly fromStored?: (object: ApiObject) => ApiObject
}

type Described = Pick<
  NativeDeclaration,
  'definitions' | 'kind' | 'description' | 'properties' | 'required'
>

function objectSchema(declaration: Described): Schema {
  const { definitions, kind, description, properties, required = [] } = declaration
  return definition(`${definitions}.${kind}`, {
    description,
    properties: {
      apiVersion: API_VERSION,
      kind: KIND,
      metadata: { type: 'object' },
      ...properties,
    },
    required,
  })
}

/** The type of a native resource. */
export function nativeType(declaration: NativeDeclaration): ResourceType {
  const { group, version = 'v1', kind, plural, oldVersion } = declaration
  return {
    group,
    plural,
    singular: kind.toLowerCase(),
    kind,
    listKind: `${kind}List`,
    shortNames: declaration.shortNames ?? [],
    categories: declaration.categories ?? [],
    namespaced: declaration.namespaced,
    nameRule: declaration.nameRule ?? 'dns-subdomain',
    verbs: declaration.verbs ?? ALL_VERBS,
    versions: [
      {
        name: version,
        served: true,
        schema: objectSchema(declaration),
        printerColumns: declaration.printerColumns,
        selectableFields: declaration.selectableFields ?? [],
        fieldAliases: declaration.fieldAliases ?? {},
        hasStatus: declaration.hasStatus ?? false,
        scale: declaration.scale ?? null,
      },
      ...oldVersions(declaration),
    ],
    storageVersion: oldVersion?.isStored === true ? oldVersion.version : version,
    hasGeneration: declaration.hasGeneration ?? false,
    statusSetsMetadata: declaration.statusSetsMetadata ?? false,
    subresources: declaration.subresources ?? [],
    isCustom: false,
    mergesStrategically: declaration.mergesStrategically ?? true,
    ...(declaration.rejectedFields && { rejectedFields: declaration.rejectedFields }),
    ...(oldVersion && { convert: conversion(declaration, oldVersion) }),
  }
}

function oldVersions(declaration: NativeDeclaration): readonly ResourceVersion[] {
  const { group, version = 'v1', kind, oldVersion, hasStatus = false } = declaration
  if (!oldVersion) return []
  const name = oldVersion.version
  const use = `${apiVersionOf(group, version)} ${kind}`
  return [
    {
      name,
      served: true,
      ...(oldVersion.isStored !== true && {
        deprecationWarning: `${apiVersionOf(group, name)} ${kind} is deprecated; use ${use}`,
      }),
      schema: objectSchema({ ...declaration, ...oldVersion }),
      printerColumns: oldVersion.printerColumns,
      selectableFields: [],
      hasStatus,
      scale: oldVersion.scale ?? null,
    },
  ]
}

function conversion(
  { group, version = 'v1' }: NativeDeclaration,
  { toStored, fromStored }: OldVersion,
): (object: ApiObject, version: string) => ApiObject {
  return (object, to) => {
    const apiVersion = apiVersionOf(group, to)
    if (object.apiVersion === apiVersion) return object
    const convert = to === version ? toStored : fromStored
    return { ...(convert?.(object) ?? object), apiVersion }
  }
}
