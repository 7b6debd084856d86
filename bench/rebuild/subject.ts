/** A list that is rebuilt. */
export interface Subject {
  readonly name: string
  /** Below the base path. */
  readonly path: string
  /** Empty for no filter. */
  readonly search: string
  /** Whether it is of resources; of reports otherwise. */
  readonly isOfResources: boolean
}

/** The lists that are rebuilt; the clusters whose reports and node pools are among them are given. */
export function subjectsOf(clusterIds: readonly string[]): readonly Subject[] {
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
      name: search === '' ? path : `${path} where ${search}`,
      path,
      search,
      isOfResources: true,
    })),
    ...clusterIds.map((id) => {
      const path = `/clusters/${id}/statuses`
      return { name: path, path, search: '', isOfResources: false }
    }),
  ]
}
