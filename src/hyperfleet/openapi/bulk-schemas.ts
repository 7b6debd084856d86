import type { JsonObject } from '../../lib/json/json.ts'
import { MAX_TREES } from '../../store/operations/bulk/create-many.ts'
import type { RegisteredKind } from '../../store/registry/kind.ts'
import { ref } from '../wire/schema-reference.ts'

/**
 * The schemas of the body of a bulk creation and of its response, by name. `examples` are valid
 * items, if there are any.
 */
export function bulkSchemas(
  { kind }: Pick<RegisteredKind, 'kind'>,
  examples: readonly JsonObject[],
): JsonObject {
  return {
    [`${kind}BulkRequest`]: requestSchema(kind, examples),
    [`${kind}BulkResult`]: resultSchema(kind),
    [`${kind}BulkItem`]: itemSchema(kind),
  }
}

/** An item that breaks the rules of a creation fails alone, so the request accepts any object. */
function requestSchema(kind: string, examples: readonly JsonObject[]): JsonObject {
  return {
    type: 'object',
    required: ['items'],
    additionalProperties: false,
    properties: {
      items: {
        type: 'array',
        minItems: 1,
        maxItems: MAX_TREES,
        items: {
          anyOf: [
            ref(`${kind}CreateRequest`),
            { type: 'object', description: 'Another object fails with the status 400.' },
          ],
        },
      },
      atomic: {
        type: 'boolean',
        default: false,
        description: 'Whether nothing is created if one item fails.',
      },
    },
    ...(examples.length > 0 && { example: { items: [...examples] } }),
  }
}

function resultSchema(kind: string): JsonObject {
  return {
    type: 'object',
    required: ['kind', 'created', 'failed', 'items'],
    properties: {
      kind: { type: 'string', const: `${kind}BulkResult` },
      created: { type: 'integer', description: 'The number of created resources.' },
      failed: { type: 'integer', description: 'The number of failed items.' },
      items: {
        type: 'array',
        description: 'The result of each item, in the order of the request.',
        items: ref(`${kind}BulkItem`),
      },
    },
  }
}

function itemSchema(kind: string): JsonObject {
  return {
    type: 'object',
    description: 'The created resource, or the problem of a failed item.',
    required: ['index', 'status'],
    properties: {
      index: { type: 'integer', description: 'The position of the item in the request, from 0.' },
      status: {
        type: 'integer',
        description: 'The status of a request that creates only this item: 201 if it is created.',
      },
      resource: ref(kind),
      error: ref('Problem'),
    },
  }
}
