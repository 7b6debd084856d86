import { must } from '../../lib/assert.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import type { RegisteredKind } from '../../store/registry/kind.ts'

/** The additional schemas of a document if a kind declares references. `base` has the others. */
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
    description:
      'Each given type replaces the references of that type. Null removes all references of the type.',
    additionalProperties: { type: ['array', 'null'], items: item },
  }
  return { ...schema, properties: { ...(isJsonObject(properties) && properties), references } }
}

/** Whether each resource of the kind must have at least one reference. */
export function requiresReferences({ references }: RegisteredKind): boolean {
  return references.some(({ min }) => min > 0)
}

/** The schema of `references` in a response. */
export function referencesSchema({ references }: RegisteredKind): JsonObject {
  const properties = references.map(({ type, kind }) => [
    type,
    {
      type: 'array',
      description: `References to a ${kind}.`,
      items: { $ref: '#/components/schemas/ResourceReference' },
    },
  ])
  return {
    type: 'object',
    required: references.map(({ type }) => type),
    properties: Object.fromEntries(properties),
  }
}

/**
 * The schema of `references` in a request. It cannot express that a type is required, because an
 * absent type means no references.
 */
export function referencesRequestSchema({ references }: RegisteredKind): JsonObject {
  const properties = references.map(({ type, kind, min, max }) => [
    type,
    {
      type: 'array',
      description: `References to a ${kind}.`,
      ...(min > 0 && { minItems: min }),
      ...(max !== null && { maxItems: max }),
      items: {
        type: 'object',
        description: 'A resource, identified by its ID. The other fields are optional.',
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
    description: 'The references of the resource by type. An absent type has no references.',
    additionalProperties: false,
    properties: Object.fromEntries(properties),
  }
}
