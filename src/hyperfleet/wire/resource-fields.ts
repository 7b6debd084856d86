import type { JsonObject, JsonValue } from '../../lib/json/json.ts'
import {
  type Column,
  type Desired,
  PATCHABLE_FIELDS,
  type PatchableField,
} from '../../store/model/resource-fields.ts'
import type { RegisteredKind } from '../../store/registry/kind.ts'
import type { Registry } from '../../store/registry/registry.ts'
import { referencesRequestSchema, referencesSchema } from './reference-schemas.ts'
import { ref } from './schema-reference.ts'
import { referenceTypesOf } from '../query/reference-filter.ts'
import type { Members, MemberShape } from '../query/fields.ts'
import { refsOf, serializeReferences } from './references.ts'

/** One field of a resource in JSON. */
interface WireField {
  /** Schema in responses. */
  readonly schema: (kind: RegisteredKind) => JsonObject
  /** Whether every resource that can have the field has it. */
  readonly required?: true
  /** Whether a kind has the field; all kinds by default. */
  readonly of?: (kind: RegisteredKind) => boolean
  /** The paths that `fields` can name below it; `leaf` by default. */
  readonly shape?: (kinds: readonly RegisteredKind[]) => MemberShape
  /** In bodies of creations and patches. */
  readonly input?: {
    readonly schema: (kind: RegisteredKind) => JsonObject
    /** Schema in merge patches, which all kinds share. */
    readonly mergePatch?: JsonObject
    /** The value if a body omits it; null if a body must have it. */
    readonly empty: JsonValue
  }
}

const text = (): JsonObject => ({ type: 'string' })
const time = (): JsonObject => ({ type: 'string', format: 'date-time' })
/** A map in a merge patch: null removes an entry. */
const MERGED_TEXTS: JsonObject = {
  type: ['object', 'null'],
  additionalProperties: { type: ['string', 'null'] },
}
const hasReferences = ({ references }: RegisteredKind): boolean => references.length > 0

/** The names on the wire. They are the columns, except for five that have other names or forms. */
type WireName =
  | Exclude<Column, 'owner_id' | 'tenant' | 'refs' | 'conditions' | 'version'>
  | 'href'
  | 'owner_references'
  | 'tenancy'
  | 'references'
  | 'status'

/**
 * The fields of a resource in JSON. The table drives the schemas of the document, `fields`, and the
 * bodies of creations and patches. `serializeResource` writes the values.
 */
const WIRE_FIELDS: Readonly<Record<WireName, WireField>> = {
  kind: { schema: ({ kind }) => ({ type: 'string', const: kind }), required: true },
  id: { schema: text, required: true },
  href: { schema: text, required: true },
  name: { schema: text, required: true },
  generation: {
    schema: () => ({ type: 'integer', format: 'int32', minimum: 1 }),
    required: true,
  },
  spec: {
    schema: ({ kind }) => ref(`${kind}Spec`),
    required: true,
    shape: () => 'document',
    input: {
      schema: ({ kind }) => ref(`${kind}Spec`),
      mergePatch: { type: 'object', additionalProperties: true },
      empty: null,
    },
  },
  labels: {
    schema: () => ref('Labels'),
    required: true,
    shape: () => 'map',
    input: { schema: () => ref('Labels'), mergePatch: MERGED_TEXTS, empty: {} },
  },
  annotations: {
    schema: () => ref('Annotations'),
    shape: () => 'map',
    input: { schema: () => ref('Annotations'), mergePatch: MERGED_TEXTS, empty: {} },
  },
  required_adapters: {
    schema: () => ({
      type: 'array',
      items: text(),
      description: 'The adapters that this resource requires in place of those of its kind.',
    }),
  },
  tenancy: { schema: () => ref('Tenancy'), shape: () => 'map' },
  created_time: { schema: time, required: true },
  updated_time: { schema: time, required: true },
  created_by: { schema: text, required: true },
  updated_by: { schema: text, required: true },
  deleted_time: { schema: () => ({ ...time(), description: 'When the deletion was requested.' }) },
  deleted_by: { schema: text },
  owner_references: {
    schema: () => ref('OwnerReference'),
    required: true,
    of: ({ parent }) => parent !== null,
    shape: () => ['kind', 'id', 'href'],
  },
  references: {
    schema: referencesSchema,
    required: true,
    of: hasReferences,
    shape: referenceTypesOf,
    input: { schema: referencesRequestSchema, empty: {} },
  },
  status: { schema: () => ref('ResourceStatus'), required: true, shape: () => ['conditions'] },
}

const FIELDS = Object.entries(WIRE_FIELDS)

function fieldsOf(kind: RegisteredKind): readonly (readonly [string, WireField])[] {
  return FIELDS.filter(([, field]) => field.of?.(kind) ?? true)
}

/** The schema of a resource in a response. */
export function resourceSchema(kind: RegisteredKind): JsonObject {
  const fields = fieldsOf(kind)
  return {
    type: 'object',
    required: fields.filter(([, { required }]) => required).map(([name]) => name),
    properties: Object.fromEntries(fields.map(([name, { schema }]) => [name, schema(kind)])),
  }
}

/** The schemas of the fields in bodies of creations and patches. */
export function inputSchemas(kind: RegisteredKind): JsonObject {
  const inputs = fieldsOf(kind).flatMap(([name, { input }]) => {
    return input ? [[name, input.schema(kind)] as const] : []
  })
  return Object.fromEntries(inputs)
}

/** The schemas of the fields of a merge patch, without references. */
export function mergePatchSchemas(): JsonObject {
  const schemas = FIELDS.flatMap(([name, { input }]) => {
    return input?.mergePatch ? [[name, input.mergePatch] as const] : []
  })
  return Object.fromEntries(schemas)
}

/** The fields that `fields` can select in a list of these kinds. */
export function projectableFields(kinds: readonly RegisteredKind[]): Members {
  const fields = FIELDS.filter(([, { of }]) => of === undefined || kinds.some(of))
  return Object.fromEntries(fields.map(([name, { shape }]) => [name, shape?.(kinds) ?? 'leaf']))
}

/** The patchable fields of a kind. */
export function patchableNames(kind: RegisteredKind): readonly string[] {
  return fieldsOf(kind).flatMap(([name, { input }]) => (input ? [name] : []))
}

/** The patchable fields except references, with the value of an absent one. */
export const PLAIN_INPUTS: ReadonlyMap<PlainInput, JsonValue> = new Map(
  PATCHABLE_FIELDS.filter(isPlain).map((name) => [name, WIRE_FIELDS[name].input?.empty ?? null]),
)

/** A field that has the same name and form in the model and in JSON. */
type PlainInput = Exclude<PatchableField, 'refs'>

function isPlain(name: PatchableField): name is PlainInput {
  return name !== 'refs'
}

/** The validated body of a creation. */
export interface CreateBody extends Partial<Pick<Desired, PlainInput>> {
  readonly name: string
  readonly spec: JsonObject
  /** Ignored if the kind declares no references. */
  readonly references?: JsonObject
}

/** The state that the body of a creation declares. */
export function desiredOf(kind: RegisteredKind, body: CreateBody): Desired {
  const { spec, labels = {}, annotations = {}, references } = body
  return { spec, labels, annotations, refs: hasReferences(kind) ? refsOf(references) : {} }
}

/** The patchable fields of a resource, as GET returns them. */
export function desiredJson(
  registry: Registry,
  kind: RegisteredKind,
  { spec, labels, annotations, refs }: Desired,
): JsonObject {
  const plain = { spec, labels, annotations } satisfies Record<PlainInput, JsonValue>
  return hasReferences(kind)
    ? { ...plain, references: serializeReferences(registry, kind, refs) }
    : plain
}
