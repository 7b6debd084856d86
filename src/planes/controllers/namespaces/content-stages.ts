import type { ServedResource } from '../client/plane-client.ts'
import { storageName } from '../client/resource-names.ts'

/**
 * Resources that are deleted last. Controllers need them to finish the deletion of other objects:
 * their accounts, permissions, credentials and leases.
 */
const LAST: ReadonlySet<string> = new Set([
  'leases.coordination.k8s.io',
  'rolebindings.rbac.authorization.k8s.io',
  'roles.rbac.authorization.k8s.io',
  'secrets',
  'serviceaccounts',
])

/** The resources that namespaces contain, in the stages of their deletion. */
export function contentStages(
  resources: readonly ServedResource[],
): readonly (readonly ServedResource[])[] {
  const content = resources
    .filter(({ namespaced, verbs }) => namespaced && isDeletable(verbs))
    .toSorted((a, b) => (storageName(a) < storageName(b) ? -1 : 1))
  const isLast = (resource: ServedResource): boolean => LAST.has(storageName(resource))
  return [content.filter((each) => !isLast(each)), content.filter(isLast)]
}

function isDeletable(verbs: ServedResource['verbs']): boolean {
  return verbs.includes('list') && (verbs.includes('deletecollection') || verbs.includes('delete'))
}
