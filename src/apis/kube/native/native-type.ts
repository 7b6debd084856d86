import type {
  DeclaredSubresource,
  NameRule,
  PrinterColumn,
  ResourceType,
  ScalePaths,
  Verb,
} from '../model/resource-type.ts'
import type { Schema } from '../model/schema.ts'
import { definition, text } from './schemas/field-schemas.ts'

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
  readonly hasStatus?: boolean
  /** Absent without the subresource. */
  readonly scale?: ScalePaths
  /** True by default. */
  readonly mergesStrategically?: boolean
  /** False by default. */
  readonly hasGeneration?: boolean
  readonly subresources?: readonly DeclaredSubresource[]
  /** None by default. */
  readonly rejectedFields?: Readonly<Record<string, string>>
}

function objectSchema(declaration: NativeDeclaration): Schema {
  const { definitions, kind, description, properties, required = [] } = declaration
  return definition(`${definitions}.${kind}`, {
    description,
    properties: {
      apiVersion: text('Group and version of this representation of the object.'),
      kind: text('Kind of the object, in CamelCase.'),
      metadata: { type: 'object' },
      ...properties,
    },
    required,
  })
}

/** The type of a native resource, which has one version. */
export function nativeType(declaration: NativeDeclaration): ResourceType {
  const { group, version = 'v1', kind, plural } = declaration
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
        hasStatus: declaration.hasStatus ?? false,
        scale: declaration.scale ?? null,
      },
    ],
    storageVersion: version,
    hasGeneration: declaration.hasGeneration ?? false,
    subresources: declaration.subresources ?? [],
    isCustom: false,
    mergesStrategically: declaration.mergesStrategically ?? true,
    ...(declaration.rejectedFields && { rejectedFields: declaration.rejectedFields }),
  }
}
