import { unreachable } from '../../lib/assert.ts'
import type { Declaration, ObjectNode, Property, SdkDocument, TypeNode } from './declaration.ts'
import { wrapWords } from './wrap-words.ts'

/** The TypeScript module with the types of a document. */
export function emitTypescript({ title, declarations }: SdkDocument): string {
  const header = `// Generated from the OpenAPI document "${title}" by \`npm run openapi\`.\n`
  return [header, ...declarations.map(declaration)].join('\n')
}

function declaration({ name, description, type }: Declaration): string {
  const comment = docComment(description, '')
  if (type.kind === 'object') return `${comment}export interface ${name} ${object(type, '')}\n`
  return `${comment}export type ${name} = ${typeText(type, '')}\n`
}

function typeText(type: TypeNode, indent: string): string {
  switch (type.kind) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
    case 'unknown':
      return type.kind
    case 'integer':
      return 'number'
    case 'literal':
      return typeof type.value === 'string' ? quoted(type.value) : String(type.value)
    case 'array':
      return `readonly ${operand(type.items, indent)}[]`
    case 'map':
      return `{ readonly [key: string]: ${typeText(type.values, indent)} }`
    case 'union':
      return type.members.map((member) => operand(member, indent)).join(' | ')
    case 'intersection':
      return type.members.map((member) => operand(member, indent)).join(' & ')
    case 'reference':
      return type.name
    case 'object':
      return object(type, indent)
    default:
      return unreachable(type)
  }
}

/** The text of a type as part of another one. */
function operand(type: TypeNode, indent: string): string {
  const text = typeText(type, indent)
  return ['union', 'intersection', 'array'].includes(type.kind) ? `(${text})` : text
}

function object({ properties, isOpen }: ObjectNode, indent: string): string {
  const inner = `${indent}  `
  const lines = properties.map((one) => property(one, inner))
  const rest = isOpen ? [`${inner}readonly [key: string]: unknown\n`] : []
  return `{\n${[...lines, ...rest].join('')}${indent}}`
}

/** Optional properties accept `undefined`: JSON omits them, and callers may compute them. */
function property({ name, type, isRequired, description }: Property, indent: string): string {
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name)
  const text = typeText(type, indent)
  const value = isRequired || type.kind === 'unknown' ? text : `${text} | undefined`
  return `${docComment(description, indent)}${indent}readonly ${key}${isRequired ? '' : '?'}: ${value}\n`
}

function docComment(description: string | null, indent: string): string {
  if (description === null) return ''
  const text = description.replaceAll('*/', '*\\/')
  const single = `${indent}/** ${text} */\n`
  if (single.length <= 101) return single
  const lines = wrapWords(text, 97 - indent.length).map((line) => `${indent} * ${line}\n`)
  return `${indent}/**\n${lines.join('')}${indent} */\n`
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
