function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** `Core`, `RbacAuthorization` or `ExampleCom`: the group in the ids of operations. */
function groupName(group: string): string {
  if (group === '') return 'Core'
  return group
    .replace(/\.k8s\.io$/, '')
    .split(/[^A-Za-z0-9]+/)
    .map(capitalized)
    .join('')
}

/** `CoreV1`: the group version in the ids of operations. */
export function groupVersionName(group: string, version: string): string {
  return groupName(group) + capitalized(version)
}

/** `core_v1`: the tag of the operations of a group version. */
export function groupVersionTag(group: string, version: string): string {
  const name = groupName(group)
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}_${version}`
}

/** `Status`: the subresource in the ids of operations. */
export function subresourceName(subresource: string): string {
  return capitalized(subresource)
}
