import { must } from '../../lib/assert.ts'
import { type DocumentedDeclaration, readDeclarations } from '../sdk-reference/read-declarations.ts'
import { section } from '../sdk-reference/typescript-page.ts'

interface Exported {
  readonly name: string
  readonly module: string
  /** The text of the module's `.d.ts` file. */
  readonly declarations: string
  /** The names of all entry points. */
  readonly published: ReadonlySet<string>
}

const LOCAL = /^(?=(?:declare )?(?:abstract )?(?:class|interface|type) )/gm
const IMPORT = /^import (?:type )?\{([^}]+)\} from '\.[^']+';$/gm

/**
 * The section of an exported name. Types of its module that it refers to follow, unless they have
 * their own section. Throws if the name has no comment.
 */
export function librarySection({ name, module, declarations, published }: Exported): string {
  const all = readDeclarations(declarations.replaceAll(LOCAL, 'export '))
  const found = all.find((one) => one.name === name)
  const exported = must(found ?? null, `the declaration of ${name} in src/${module}.ts`)
  if (exported.description === '') throw new Error(`src/${module}.ts: ${name} has no comment`)
  const parts = [exported]
  for (const part of parts) {
    const next = all.filter((one) => !published.has(one.name) && !parts.includes(one))
    parts.push(...next.filter((one) => refersTo(part, one.name)))
  }
  const [first = '', ...others] = parts.map(section)
  const details = others.map((text) => `#${text}`).join('\n')
  return [first, details, unpublished(parts, declarations, published)]
    .filter((text) => text !== '')
    .join('\n')
}

/** The types that the parts refer to and that no entry point exports. */
function unpublished(
  parts: readonly DocumentedDeclaration[],
  declarations: string,
  published: ReadonlySet<string>,
): string {
  const names = [...declarations.matchAll(IMPORT)]
    .flatMap(([, imported = '']) => imported.split(','))
    .map((text) => text.trim().replace(/^type /, ''))
    .filter((each) => !published.has(each) && parts.some((part) => refersTo(part, each)))
  if (names.length === 0) return ''
  return `Not exported: ${names
    .toSorted()
    .map((each) => `\`${each}\``)
    .join(', ')}.\n`
}

function refersTo({ signature, members }: DocumentedDeclaration, name: string): boolean {
  const texts = [signature, ...members.map((member) => member.signature)]
  return texts.some((text) => new RegExp(`\\b${name}\\b`).test(text))
}
