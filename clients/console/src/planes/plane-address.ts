import type { PlaneKind } from '../kube/plane-kind.ts'

/** The core group and absent namespaces need a segment in the address too. */
const CORE = 'core'
const NONE = '-'

/** The segments of a kind in the address of the console. */
export function kindParams(plane: string, { group, version, plural }: Addressed) {
  return { plane, group: group === '' ? CORE : group, version, plural }
}

/** The segments of an object in the address of the console. */
export function objectParams(
  plane: string,
  kind: Addressed,
  { namespace = '', name }: { readonly namespace?: string | undefined; readonly name: string },
) {
  return { ...kindParams(plane, kind), namespace: namespace === '' ? NONE : namespace, name }
}

/** The kind of an address. */
export function readKindParams({ group, version, plural }: Addressed): Addressed {
  return { group: group === CORE ? '' : group, version, plural }
}

/** The namespace of an address; empty for objects without one. */
export function readNamespace(segment: string): string {
  return segment === NONE ? '' : segment
}

type Addressed = Pick<PlaneKind, 'group' | 'version' | 'plural'>
