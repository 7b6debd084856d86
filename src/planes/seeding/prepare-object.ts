import type { ObjectContent } from '../../store/objects/model/object-write.ts'
import { invalidValue, forbiddenValue } from '../errors/field-errors.ts'
import { KubeError } from '../errors/kube-error.ts'
import type { ApiObject } from '../model/api-object.ts'
import type { FieldError } from '../model/field-error.ts'
import type { WriteContext } from '../model/native-resource.ts'
import type { Target } from '../model/object-operations.ts'
import type { ResourceType } from '../model/resource-type.ts'
import type { UserInfo } from '../model/user-info.ts'
import { manageFields } from '../operations/input/manage-fields.ts'
import { requireLeastSize } from '../operations/input/require-size.ts'
import { companionContents, contentOf } from '../operations/input/object-content.ts'
import { prepareCreate } from '../operations/writes/prepare-create.ts'
import { validateObject } from '../operations/input/validate-object.ts'
import { versionOf } from '../operations/versioned-object.ts'
import { prune } from '../schemas/prune.ts'
import type { Manifest } from './manifest.ts'
import type { SeedContext } from './seed-context.ts'

/** The user who creates the objects of a seed. */
const SEEDER: UserInfo = { name: 'system:flotilla:fleets', uid: '', groups: [], extra: {} }
/** The manager of the fields of a seed. */
const OPTIONS = { fieldManager: 'fleet', fieldValidation: 'Ignore' } as const
/** The namespace of manifests without one. */
const DEFAULT_NAMESPACE = 'default'

/** A manifest of a known type. */
export interface TypedManifest extends Manifest {
  readonly type: ResourceType
  readonly version: string
}

/** The plane and the time of a creation. */
export interface Occasion {
  readonly plane: string
  readonly now: Date
  /** Changes the object last. */
  readonly change?: (object: ApiObject) => ApiObject
}

/** The objects that the creation of a manifest's object writes. */
export interface PreparedObject {
  readonly object: ApiObject
  readonly content: ObjectContent
  readonly companions: readonly ObjectContent[]
}

/** A prepared object, or the violated rules. */
export type Preparation =
  | { readonly prepared: PreparedObject }
  | { readonly errors: readonly FieldError[] }

/**
 * Prepares the object of a manifest as a create does, without admission: decodes it, sets defaults,
 * validates it and records its manager.
 */
export async function prepareObject(
  context: SeedContext,
  manifest: TypedManifest,
  { plane, now, change = (object) => object }: Occasion,
): Promise<Preparation> {
  const { field, type, version } = manifest
  const input = withNamespace(manifest)
  const { namespace = '' } = input.metadata
  const target: Target = { plane, type, version, namespace, name: '', subresource: '' }
  const circumstances: WriteContext = { plane, user: SEEDER, version, subresource: '', now }
  try {
    const unknown = unknownFields(input, target).map((path) =>
      forbiddenValue(`${field}.${path}`, 'unknown field'),
    )
    const creation = { requester: REQUESTER, target, options: OPTIONS, input }
    const created = await prepareCreate(context, creation, circumstances)
    requireLeastSize(created, target, { ownsFields: true })
    const next = await manageFields({ target, options: OPTIONS, now }, null, created)
    const errors = await validateObject(context, { target, next, old: null }, circumstances)
    if (unknown.length + errors.length > 0) {
      return { errors: [...unknown, ...errors.map((error) => below(field, error))] }
    }
    const object = change(next)
    const content = await contentOf(context, target, object)
    const companions = companionContents(context, { target, next: object }, circumstances)
    return { prepared: { object, content, companions } }
  } catch (error) {
    if (!(error instanceof KubeError)) throw error
    return { errors: [invalidValue(field, input.metadata.name ?? '', error.message)] }
  }
}

const REQUESTER = { user: SEEDER, warn: () => undefined }

function withNamespace({ object, type }: TypedManifest): ApiObject {
  const { metadata } = object
  const isNamespaceless = (metadata.namespace ?? '') === ''
  if (!type.namespaced || !isNamespaceless) return object
  return { ...object, metadata: { ...metadata, namespace: DEFAULT_NAMESPACE } }
}

function unknownFields(object: ApiObject, { type, version }: Target): readonly string[] {
  return prune(object, versionOf(type, version).schema).unknownFields
}

/** The error with the path of the manifest. Errors about a whole object have no path. */
function below(field: string, error: FieldError): FieldError {
  const isWhole = error.field === '' || error.field.startsWith('<')
  return { ...error, field: isWhole ? field : `${field}.${error.field}` }
}
