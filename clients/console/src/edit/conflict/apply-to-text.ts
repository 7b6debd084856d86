import { type Document, isCollection, parseDocument } from 'yaml'
import type { Difference } from '../json/differences.ts'

/** Sets or removes fields of a YAML text. Comments and the format of other fields stay. */
export function applyToText(text: string, changes: readonly Pick<Difference, 'path' | 'after'>[]) {
  const document = parseDocument(text, { logLevel: 'silent' })
  for (const { path, after } of changes) set(document, path, after)
  return document.toString({ lineWidth: 0 })
}

function set(document: Document, path: readonly string[], value: unknown): void {
  if (value !== undefined) {
    prepare(document, path)
    document.setIn(path, document.createNode(value))
    return
  }
  if (document.hasIn(path)) document.deleteIn(path)
}

/**
 * Replaces scalars on the way, such as the null of an empty field, by objects. An object that was
 * empty, such as `{}`, continues on lines below its key.
 */
function prepare(document: Document, path: readonly string[]): void {
  for (let depth = 0; depth < path.length; depth += 1) {
    const parent = path.slice(0, depth)
    const node = parent.length === 0 ? document.contents : document.getIn(parent, true)
    if (isCollection(node) && node.items.length === 0) node.flow = false
    if (node !== undefined && !isCollection(node)) document.setIn(parent, document.createNode({}))
  }
}
