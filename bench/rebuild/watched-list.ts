/** A list that rebuilders copy. */
export interface WatchedList {
  readonly name: string
  /** Relative to the base path. */
  readonly path: string
  /** Empty for an unfiltered list. */
  readonly search: string
  /** Whether the items are resources or reports. */
  readonly itemType: 'resource' | 'report'
}

/** The lists to copy. They include the reports of the given clusters and the node pools of the first. */
export function watchedLists(clusterIds: readonly string[]): readonly WatchedList[] {
  const lists: readonly (readonly [path: string, search: string])[] = [
    ['/clusters', ''],
    ['/nodepools', ''],
    ['/resources', ''],
    ['/clusters', "labels.crew='blue'"],
    ['/clusters', "labels.crew='red' and status.conditions.Ready='False'"],
    ['/resources', "labels.crew='green' and deleted_time is null"],
    [`/clusters/${clusterIds[0]}/nodepools`, ''],
  ]
  return [
    ...lists.map(([path, search]) => ({
      name: search === '' ? path : `${path} with ${search}`,
      path,
      search,
      itemType: 'resource' as const,
    })),
    ...clusterIds.map((id) => {
      const path = `/clusters/${id}/statuses`
      return { name: path, path, search: '', itemType: 'report' as const }
    }),
  ]
}
