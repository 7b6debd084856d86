import { valueAt } from '../json/value-at.ts'

/** Whether resources of any of the kinds can refer to others, by the server's OpenAPI document. */
export function hasReferences(document: unknown, kinds: readonly string[]): boolean {
  return kinds.some((kind) => {
    const path = ['components', 'schemas', `${kind}CreateRequest`, 'properties', 'references']
    return valueAt(document, path) !== undefined
  })
}
