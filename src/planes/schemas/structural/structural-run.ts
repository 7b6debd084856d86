import type { FieldError } from '../../model/field-error.ts'
import type { Schema } from '../../model/schema.ts'
import { MAX_FIELD_ERRORS } from '../validation/validation-run.ts'

/** The position of a schema, which decides the members that it needs. */
export type Level = 'root' | 'item' | 'field'

/** Collects errors up to the maximum. */
export interface ErrorList {
  readonly errors: FieldError[]
  add(...errors: readonly FieldError[]): void
}

/** Creates an empty list. */
export function createErrorList(): ErrorList {
  const errors: FieldError[] = []
  return {
    errors,
    add: (...added) => {
      errors.push(...added.slice(0, MAX_FIELD_ERRORS - errors.length))
    },
  }
}

/** A nested schema with its path. */
export interface SchemaPart {
  readonly schema: Schema
  readonly path: string
  readonly level: Level
  /** The name if the part is a property. */
  readonly property: string | null
}

/** The schemas of members and items, without those in logical junctors. */
export function structuralParts(schema: Schema, path: string): readonly SchemaPart[] {
  const parts: SchemaPart[] = []
  const { items, properties, additionalProperties } = schema
  if (items) parts.push({ schema: items, path: `${path}.items`, level: 'item', property: null })
  for (const [name, property] of Object.entries(properties ?? {})) {
    const propertyPath = `${path}.properties[${name}]`
    parts.push({ schema: property, path: propertyPath, level: 'field', property: name })
  }
  if (typeof additionalProperties === 'object') {
    const otherPath = `${path}.additionalProperties`
    parts.push({ schema: additionalProperties, path: otherPath, level: 'field', property: null })
  }
  return parts
}
