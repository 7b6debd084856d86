import type { ReadNamespace } from './match-constraints.ts'

/** Reads each namespace once: several webhooks and policies of a request may depend on it. */
export function readNamespaceOnce(read: ReadNamespace): ReadNamespace {
  const reads = new Map<string, ReturnType<ReadNamespace>>()
  return (plane, name) => {
    const key = `${plane}/${name}`
    const known = reads.get(key) ?? read(plane, name)
    reads.set(key, known)
    return known
  }
}
