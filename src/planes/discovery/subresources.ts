import { compareText } from '../../lib/text/compare-text.ts'
import type { DeclaredSubresource, ResourceType, Verb } from '../model/resource-type.ts'

const VERBS: readonly Verb[] = ['get', 'patch', 'update']

/** All subresources of a resource in a version, sorted by name. */
export function subresourcesOf(
  { group, kind, versions, subresources = [] }: ResourceType,
  version: string,
): readonly DeclaredSubresource[] {
  const served = versions.find(({ name }) => name === version)
  const status = { name: 'status', group, version, kind, verbs: VERBS }
  const scale = { name: 'scale', group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: VERBS }
  return [
    ...(served?.hasStatus === true ? [status] : []),
    ...(served?.scale ? [scale] : []),
    ...subresources,
  ].toSorted((a, b) => compareText(a.name, b.name))
}
