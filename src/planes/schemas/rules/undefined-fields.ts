import { nodesOf } from '../../../lib/cel/metered.ts'
import type { Program } from '../../expressions/compile-program.ts'
import type { Schema } from '../../model/schema.ts'
import { celFieldName } from './field-names.ts'
import { resourceSchema } from './root-schema.ts'

type ASTNode = Program['ast']

/** The fields of `self` and `oldSelf` that an expression uses and the schema does not declare. */
export function undefinedFields(ast: ASTNode, schema: Schema): readonly string[] {
  const missing: string[] = []
  for (const node of nodesOf(ast)) {
    if (node.op !== '.') continue
    const [target, name] = node.args
    const declared = schemaOf(target, schema)
    if (declared && fieldOf(declared, name) === undefined) missing.push(name)
  }
  return missing
}

/** The schema of an expression; null if it is unknown. */
function schemaOf(node: ASTNode, schema: Schema): Schema | null {
  switch (node.op) {
    case 'id':
      return node.args === 'self' ? schema : null
    case '.': {
      const target = schemaOf(node.args[0], schema)
      return target === null ? null : (fieldOf(target, node.args[1]) ?? null)
    }
    case '[]': {
      const target = schemaOf(node.args[0], schema)
      if (target?.type === 'array') return target.items ?? null
      return typeof target?.additionalProperties === 'object' ? target.additionalProperties : null
    }
    default:
      return null
  }
}

/** The schema of a field: undefined if it is not declared, null if it is unknown. */
function fieldOf(schema: Schema, name: string): Schema | null | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) return null
  if (schema.type !== 'object') return schema.type === undefined ? null : undefined
  if (typeof schema.additionalProperties === 'object') return schema.additionalProperties
  const isResource = schema['x-kubernetes-embedded-resource'] === true
  const { properties = {} } = isResource ? resourceSchema(schema) : schema
  return fieldsOf(properties).get(name)
}

/** Fields by their names in CEL. Rules use many fields of few schemas. */
const FIELDS = new WeakMap<object, ReadonlyMap<string, Schema>>()

function fieldsOf(properties: Readonly<Record<string, Schema>>): ReadonlyMap<string, Schema> {
  const cached = FIELDS.get(properties)
  if (cached) return cached
  const fields = new Map<string, Schema>()
  for (const [property, schema] of Object.entries(properties)) {
    const name = celFieldName(property)
    if (name !== null) fields.set(name, schema)
  }
  FIELDS.set(properties, fields)
  return fields
}
