import type { JsonObject } from '../../lib/json/json.ts'
import type { RegisteredKind } from '../../store/registry/kind.ts'
import { RESERVED_RESOURCE_NAMES } from '../../store/registry/kind-routes.ts'
import { serves } from '../../store/registry/verb.ts'
import { bulkSchemas } from './bulk-schemas.ts'
import { inputSchemas, resourceSchema } from '../wire/resource-fields.ts'
import { requiresReferences } from '../wire/reference-schemas.ts'
import { ref } from '../wire/schema-reference.ts'

export const NAME_PATTERN = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$'
const NAME_MESSAGE =
  'must start and end with a lowercase letter or digit and contain only lowercase letters, digits and hyphens'

/** The schemas of one kind, by name. */
export function kindSchemas(kind: RegisteredKind): JsonObject {
  const name = kind.kind
  return {
    [`${name}Spec`]: kind.specSchema,
    [name]: resourceSchema(kind),
    [`Partial${name}`]: PARTIAL_SCHEMA,
    ...(serves(kind, 'list') && { [`${name}List`]: listSchema(name) }),
    ...((serves(kind, 'create') || serves(kind, 'create-many')) && {
      [`${name}CreateRequest`]: createSchema(kind),
    }),
    ...(serves(kind, 'create-many') && bulkSchemas(kind, bulkExamples(kind))),
    ...(serves(kind, 'upsert') && { [`${name}UpsertRequest`]: upsertSchema(kind) }),
    ...(serves(kind, 'patch') && { [`${name}PatchRequest`]: patchSchema(kind) }),
  }
}

function patchSchema(kind: RegisteredKind): JsonObject {
  return {
    type: 'object',
    minProperties: 1,
    additionalProperties: false,
    properties: inputSchemas(kind),
  }
}

/** An item that `fields` has reduced. */
export const PARTIAL_SCHEMA: JsonObject = {
  type: 'object',
  description: 'The fields that `fields` selects, and always `id`.',
  required: ['id'],
  additionalProperties: true,
  properties: { id: { type: 'string' } },
}

/** The schema of a page of items. */
export function listSchema(name: string): JsonObject {
  return {
    type: 'object',
    required: ['kind', 'page', 'size', 'total', 'items', 'resource_version'],
    properties: {
      kind: { type: 'string', const: `${name}List` },
      page: { type: 'integer' },
      size: { type: 'integer', description: 'The number of items in this response.' },
      total: { type: 'integer' },
      total_is_estimate: { type: 'boolean' },
      items: { type: 'array', items: { anyOf: [ref(name), ref(`Partial${name}`)] } },
      resource_version: ref('ResourceVersion'),
      next: {
        type: ['string', 'null'],
        description:
          'The `after` of the next page; null on the last page. Absent in lists across shards.',
      },
    },
  }
}

function createSchema(kind: RegisteredKind): CreateSchema {
  const { minLength, maxLength } = kind.name
  return {
    type: 'object',
    description: 'The server ignores read-only and unknown fields.',
    required: ['kind', 'name', 'spec', ...(requiresReferences(kind) ? ['references'] : [])],
    properties: {
      id: {
        enum: ['', null],
        'x-message': 'must be empty',
        description: 'The server chooses the ID.',
      },
      kind: { type: 'string', const: kind.kind },
      name: {
        type: 'string',
        minLength,
        maxLength,
        pattern: NAME_PATTERN,
        'x-message': NAME_MESSAGE,
        ...(kind.parent === null && { not: { enum: [...RESERVED_RESOURCE_NAMES] } }),
      },
      ...inputSchemas(kind),
    },
    ...(!requiresReferences(kind) && { example: creationExample(kind) }),
  }
}

/** Their names differ from those of other examples, so that a user can send all of them. */
function bulkExamples(kind: RegisteredKind): readonly JsonObject[] {
  if (requiresReferences(kind)) return []
  return ['example-3', 'example-4'].map((name) => creationExample(kind, name))
}

interface CreateSchema extends JsonObject {
  readonly required: readonly string[]
}

/** A creation whose name is in the path. */
function upsertSchema(kind: RegisteredKind): JsonObject {
  const { required, example, ...schema } = createSchema(kind)
  const { name: _name, ...unnamed } = creationExample(kind)
  return {
    ...schema,
    description:
      'The state to declare, as for a creation. `name` is optional and must be the name in the path. The server ignores read-only and unknown fields.',
    required: required.filter((name) => name !== 'name'),
    ...(example !== undefined && { example: unnamed }),
  }
}

/** A body that the server accepts. Forms that send requests start with it. */
export function creationExample(
  { kind, name, specSchema }: RegisteredKind,
  text = 'example',
): JsonObject {
  return {
    kind,
    name: text.padEnd(name.minLength, 'x').slice(0, name.maxLength),
    spec: specSchema['example'] ?? {},
    labels: { environment: 'production' },
  }
}
