/** Names the row of an adapter: ids have no blank. */
export function rowKey(resourceId: string, adapter: string): string {
  return `${resourceId} ${adapter}`
}
