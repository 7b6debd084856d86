import type { HistoryEntry } from '../../../typescript/src/index.ts'

/** Objects as maps, because the keys come from users. */
type Values = Map<string, unknown>

/** The changed values before and after, in objects that contain nothing else. Null without any. */
export function changedValues(changes: HistoryEntry['changes']): {
  readonly before: Values | null
  readonly after: Values | null
} {
  const before: Values = new Map()
  const after: Values = new Map()
  for (const change of changes) {
    const keys = change.path.slice(1).split('/').map(keyOf)
    if ('old' in change) put(before, keys, change.old)
    if ('new' in change) put(after, keys, change.new)
  }
  return { before: before.size === 0 ? null : before, after: after.size === 0 ? null : after }
}

/** The key of a token of a JSON Pointer (RFC 6901). */
function keyOf(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~')
}

function put(values: Values, [key = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    values.set(key, value)
    return
  }
  const existing = values.get(key)
  const inner: Values = existing instanceof Map ? existing : new Map()
  values.set(key, inner)
  put(inner, rest, value)
}
