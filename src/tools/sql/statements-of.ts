import { parseAst } from 'rolldown/parseAst'

/** The SQL that a source file runs. */
export interface FoundSql {
  /** The names of its statements; `*` replaces the variable parts. */
  readonly names: readonly string[]
  /** Uses of SQL without a name, as written. */
  readonly unnamed: readonly string[]
}

/** Most files run no SQL, and parsing takes time. */
const MAY_RUN_SQL = /\btext\s*[:,}]|\bquery\s*[(<]|\$(?:query|execute)Raw/
const NAME = /^[a-z0-9_*]+$/

type Node = Readonly<Record<string, unknown>>

/**
 * Finds the statements of a file: `{ name, text }`, which `Database.execute` runs, and calls of
 * `Database.query` with a name. Other calls of `query` and Prisma's raw queries have no name.
 */
export function statementsOf(source: string): FoundSql {
  if (!MAY_RUN_SQL.test(source)) return { names: [], unnamed: [] }
  const names: string[] = []
  const unnamed: string[] = []
  for (const node of nodesOf(parseAst(source, { lang: 'ts' }))) {
    const found = namesIn(node)
    if (found === null) continue
    if (found.length > 0 && found.every((name) => NAME.test(name))) names.push(...found)
    else unnamed.push(source.slice(Number(node['start']), Number(node['end'])))
  }
  return { names, unnamed }
}

/** The names of the statement that a node is; empty if they are unknown, null if it is none. */
function namesIn(node: Node): readonly string[] | null {
  if (node['type'] === 'ObjectExpression') {
    const { name, text, ...others } = propertiesOf(node)
    const isStatement = name !== undefined && text !== undefined && isEmpty(others)
    return isStatement ? stringsOf(name) : null
  }
  if (node['type'] === 'MemberExpression') {
    return /^\$(?:query|execute)Raw/.test(propertyOf(node)) ? [] : null
  }
  const { callee, arguments: values } = node
  if (node['type'] !== 'CallExpression' || !isNode(callee) || !Array.isArray(values)) return null
  if (propertyOf(callee) !== 'query') return null
  return values.length === 2 && isNode(values[0]) ? stringsOf(values[0]) : []
}

/** The values of a literal, of a template with `*` for its expressions, or of both alternatives. */
function stringsOf(node: Node): readonly string[] {
  switch (node['type']) {
    case 'Literal':
      return [String(node['value'])]
    case 'TemplateLiteral':
      return [childrenOf(node['quasis']).map(textOf).join('*').replaceAll(/\*+/g, '*')]
    case 'ConditionalExpression':
      return childrenOf([node['consequent'], node['alternate']]).flatMap(stringsOf)
    default:
      return []
  }
}

function textOf({ value }: Node): string {
  return isNode(value) ? String(value['raw']) : ''
}

function propertyOf({ property }: Node): string {
  return isNode(property) ? String(property['name']) : ''
}

function propertiesOf(node: Node): Readonly<Record<string, Node>> {
  const entries = childrenOf(node['properties']).flatMap(({ key, value }) =>
    isNode(key) && isNode(value) ? [[String(key['name']), value] as const] : [],
  )
  return Object.fromEntries(entries)
}

function* nodesOf(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const item of value) yield* nodesOf(item)
  if (!isNode(value)) return
  yield value
  for (const child of Object.values(value)) yield* nodesOf(child)
}

function childrenOf(value: unknown): readonly Node[] {
  return Array.isArray(value) ? value.filter(isNode) : []
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0
}
