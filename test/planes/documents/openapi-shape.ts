import { compareText } from '../../../src/lib/text/compare-text.ts'

/** The part of a schema of OpenAPI v2 that the notation shows. */
interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly items?: Schema
  readonly additionalProperties?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly 'x-kubernetes-list-type'?: string
  readonly 'x-kubernetes-list-map-keys'?: readonly string[]
  readonly 'x-kubernetes-map-type'?: string
  readonly 'x-kubernetes-patch-strategy'?: string
  readonly 'x-kubernetes-patch-merge-key'?: string
}

interface Operation {
  readonly operationId: string
  readonly 'x-kubernetes-action': string
}

/** An OpenAPI v2 document. */
export interface ShapedDocument {
  readonly definitions: Readonly<Record<string, Schema>>
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

function shownType({ $ref, type = 'any', format, items, additionalProperties }: Schema): string {
  if ($ref !== undefined) return $ref.split('.').at(-1) ?? ''
  if (type === 'array' && items) return `[]${shownType(items)}`
  if (type === 'object' && additionalProperties) return `map[${shownType(additionalProperties)}]`
  return format ?? type
}

function shownRules(schema: Schema): string {
  const rules = [
    ['list', schema['x-kubernetes-list-type']],
    ['keys', schema['x-kubernetes-list-map-keys']?.join(',')],
    ['map', schema['x-kubernetes-map-type']],
    ['patch', schema['x-kubernetes-patch-strategy']],
    ['merge', schema['x-kubernetes-patch-merge-key']],
  ] as const
  return rules.map(([name, value]) => (value === undefined ? '' : ` ${name}=${value}`)).join('')
}

function sorted<Value>(record: Readonly<Record<string, Value>>): readonly [string, Value][] {
  return Object.entries(record).toSorted(([a], [b]) => compareText(a, b))
}

/**
 * Definitions and operations by name, with a line per field or method:
 * `name! type list=map keys=...`. The exclamation mark means required.
 */
export function shapesOf({ definitions, paths }: ShapedDocument): ReadonlyMap<string, string> {
  const schemas = sorted(definitions).map(([name, schema]) => {
    const fields = sorted(schema.properties ?? {}).map(([field, value]) => {
      const mark = schema.required?.includes(field) === true ? '!' : ''
      return `  ${field}${mark} ${shownType(value)}${shownRules(value)}`
    })
    const head = `${name} ${shownType(schema)}${shownRules(schema)}`
    return [name, [head, ...fields].join('\n')] as const
  })
  const operations = sorted(paths).map(([path, item]) => {
    const methods = sorted(item)
      .filter(([method]) => method !== 'parameters')
      .map(([method, operation]) => {
        return `  ${method} ${operation.operationId} ${operation['x-kubernetes-action']}`
      })
    return [path, [path, ...methods].join('\n')] as const
  })
  return new Map([...schemas, ...operations])
}

/** Reads shapes from a text in the same notation. */
export function parseShapes(text: string): ReadonlyMap<string, string> {
  const shapes = text.trimEnd().split(/\n(?! )/)
  return new Map(shapes.map((shape) => [shape.split(/[ \n]/)[0] ?? '', shape]))
}
