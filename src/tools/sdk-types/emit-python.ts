import { unreachable } from '../../lib/assert.ts'
import type { Declaration, ObjectNode, Property, SdkDocument, TypeNode } from './declaration.ts'
import { wrapWords } from './wrap-words.ts'

const HEADER = (
  title: string,
) => `"""Generated from the OpenAPI document "${title}" by \`npm run openapi\`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired
`

/** Names that cannot be keys of a class. */
const KEYWORDS: ReadonlySet<string> = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
)

/** The Python module with the types of a document: a `TypedDict` per object. */
export function emitPython({ title, declarations }: SdkDocument): string {
  // A class must be declared after its bases.
  const isBased = ({ type }: Declaration): boolean => type.kind === 'intersection'
  const ordered = [
    ...declarations.filter((one) => !isBased(one)),
    ...declarations.filter((one) => isBased(one)),
  ]
  return [HEADER(title), ...ordered.map(declaration)].join('\n')
}

function declaration({ name, description, type }: Declaration): string {
  if (type.kind === 'object') return typedDict({ name, description }, type)
  if (type.kind === 'intersection') {
    const bases = type.members.flatMap((one) => (one.kind === 'reference' ? [one.name] : []))
    const own = type.members.flatMap((one) => (one.kind === 'object' ? one.properties : []))
    return typedDict({ name, description, bases }, { properties: own })
  }
  const nested = new Map<string, ObjectNode>()
  const text = typeText(type, `${name}Object`, nested)
  const inner = [...nested].map(([key, node]) => typedDict({ name: key, description: null }, node))
  return [...inner, `${comment(description, '')}${name}: TypeAlias = '${text}'\n`].join('\n')
}

/** The name of a class, its comment and its bases. */
interface ClassHead {
  readonly name: string
  readonly description: string | null
  readonly bases?: readonly string[]
}

function typedDict(head: ClassHead, { properties }: Pick<ObjectNode, 'properties'>): string {
  const { name } = head
  const nested = new Map<string, ObjectNode>()
  const fields = properties.map((one) => field(one, name, nested))
  const inner = [...nested].map(
    ([key, node]) => `\n${typedDict({ name: key, description: null }, node)}`,
  )
  const isClass = properties.every(
    ({ name: key }) => /^[A-Za-z]\w*$/.test(key) && !KEYWORDS.has(key),
  )
  return (isClass ? classText(head, fields) : call(head, fields)) + inner.join('')
}

interface Field {
  readonly key: string
  readonly comment: string
  readonly type: string
}

function field(
  { name, type, isRequired, description }: Property,
  owner: string,
  nested: Map<string, ObjectNode>,
): Field {
  const text = typeText(type, `${owner}${capitalized(name)}`, nested)
  return {
    key: name,
    comment: comment(description, '    '),
    type: isRequired ? text : `NotRequired[${text}]`,
  }
}

function classText({ name, description, bases = [] }: ClassHead, fields: readonly Field[]): string {
  const parents = bases.length === 0 ? 'TypedDict' : bases.join(', ')
  const lines = fields.map((one) => `${one.comment}    ${one.key}: ${one.type}\n`)
  const body = lines.length === 0 ? '    pass\n' : lines.join('')
  return `\n${comment(description, '')}class ${name}(${parents}):\n${body}`
}

/** A key such as `from` needs the form of TypedDict with a dictionary, whose types are texts. */
function call({ name, description }: ClassHead, fields: readonly Field[]): string {
  const lines = fields.map((one) => `${one.comment}    "${one.key}": '${one.type}',\n`)
  return `\n${comment(description, '')}${name} = TypedDict("${name}", {\n${lines.join('')}})\n`
}

/** The text of a type. An object without a name becomes a type named for its property. */
function typeText(type: TypeNode, name: string, nested: Map<string, ObjectNode>): string {
  switch (type.kind) {
    case 'string':
      return 'str'
    case 'integer':
      return 'int'
    case 'number':
      return 'float'
    case 'boolean':
      return 'bool'
    case 'null':
      return 'None'
    case 'unknown':
      return 'Any'
    case 'literal':
      return `Literal[${literal(type.value)}]`
    case 'array':
      return `list[${typeText(type.items, name, nested)}]`
    case 'map':
      return `dict[str, ${typeText(type.values, name, nested)}]`
    case 'union':
      return unionText(type.members, (one) => typeText(one, name, nested))
    case 'intersection':
      return 'dict[str, Any]'
    case 'reference':
      return type.name
    case 'object':
      nested.set(name, type)
      return name
    default:
      return unreachable(type)
  }
}

/** All literals of a union share one `Literal`. */
function unionText(members: readonly TypeNode[], textOf: (type: TypeNode) => string): string {
  const literals = members.flatMap((one) => (one.kind === 'literal' ? [literal(one.value)] : []))
  const others = members.filter(({ kind }) => kind !== 'literal').map(textOf)
  const shared = literals.length === 0 ? [] : [`Literal[${literals.join(', ')}]`]
  return [...new Set([...shared, ...others])].join(' | ')
}

function literal(value: string | number | boolean): string {
  if (typeof value === 'string') return `"${value}"`
  return typeof value === 'boolean' ? capitalized(String(value)) : String(value)
}

function capitalized(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join('')
}

function comment(description: string | null, indent: string): string {
  if (description === null) return ''
  return wrapWords(description, 97 - indent.length)
    .map((line) => `${indent}# ${line}\n`)
    .join('')
}
