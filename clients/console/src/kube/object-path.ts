import type { PlaneKind } from './plane-kind.ts'

type Addressed = Pick<PlaneKind, 'group' | 'version' | 'plural'>

/** The path of a list in a plane. Without a namespace: the objects of all namespaces. */
export function listPath({ group, version, plural }: Addressed, namespace = ''): string {
  const base = group === '' ? ['api', version] : ['apis', group, version]
  const inside = namespace === '' ? [] : ['namespaces', namespace]
  return toPath([...base, ...inside, plural])
}

/** The path of an object in a plane, or of its subresource. */
export function objectPath(
  kind: Addressed,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  subresource?: string,
): string {
  const rest = subresource === undefined ? [name] : [name, subresource]
  return `${listPath(kind, namespace)}${toPath(rest)}`
}

/** A path in a plane as a path of the server. */
export function planePath(plane: string, path: string): string {
  return `${toPath(['clusters', plane, 'control-plane'])}${path}`
}

function toPath(segments: readonly string[]): string {
  return segments.map((segment) => `/${encodeURIComponent(segment)}`).join('')
}
