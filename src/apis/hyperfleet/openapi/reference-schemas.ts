import { must } from '../../../lib/assert.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'
import type { RegisteredKind } from '../../../core/registry/kind.ts'

/** Schemas that the document has where some kind declares references; `base` are those of all. */
export function commonReferenceSchemas(
  base: JsonObject,
  kinds: readonly RegisteredKind[],
): JsonObject {
  if (kinds.every(({ references }) => references.length === 0)) return {}
  const text = { type: 'string' }
  return {
    ResourceReference: {
      type: 'object',
      required: ['id', 'kind', 'href'],
      properties: { id: text, kind: text, href: text },
    },
    ReferringMergePatchRequest: referringMergePatch(base['MergePatchRequest']),
  }
}

function referringMergePatch(mergePatch: JsonValue | undefined): JsonObject {
  const schema = must(isJsonObject(mergePatch) ? mergePatch : null, 'the schema of a merge patch')
  const { properties } = schema
  const item = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } }
  const references = {
    type: ['object', 'null'],
    description: 'A type that is given replaces what is referred to by it, null empties it',
    additionalProperties: { type: ['array', 'null'], items: item },
  }
  return { ...schema, properties: { ...(isJsonObject(properties) && properties), references } }
}

/** Whether every resource of the kind refers to something. */
export function refersAlways({ references }: RegisteredKind): boolean {
  return references.some(({ min }) => min > 0)
}

/** The member `references` of an answer. */
export function referencesSchema({ references }: RegisteredKind): JsonObject {
  const properties = references.map(({ type, kind }) => [
    type,
    {
      type: 'array',
      description: `Each a ${kind}`,
      items: { $ref: '#/components/schemas/ResourceReference' },
    },
  ])
  return {
    type: 'object',
    required: references.map(({ type }) => type),
    properties: Object.fromEntries(properties),
  }
}

/** The member `references` of a request; that a type is left out which needs some, it cannot say. */
export function referencesRequestSchema({ references }: RegisteredKind): JsonObject {
  const properties = references.map(({ type, kind, min, max }) => [
    type,
    {
      type: 'array',
      description: `Each a ${kind}`,
      ...(min > 0 && { minItems: min }),
      ...(max !== null && { maxItems: max }),
      items: {
        type: 'object',
        description: 'By its id; the other members can be left out',
        required: ['id'],
        properties: {
          id: { type: 'string', minLength: 1 },
          kind: { type: 'string', const: kind },
          href: { type: 'string' },
        },
      },
    },
  ])
  return {
    type: 'object',
    description: 'What the resource refers to, by type; a type that is left out has no items',
    additionalProperties: false,
    properties: Object.fromEntries(properties),
  }
}
