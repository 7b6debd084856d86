/** The key of an adapter's row in maps. Ids contain no spaces. */
export function rowKey(resourceId: string, adapter: string): string {
  return `${resourceId} ${adapter}`
}
