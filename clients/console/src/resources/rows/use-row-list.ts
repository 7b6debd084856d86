import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { apiPath } from '../../../../typescript/src/http/api-path.ts'
import { watchedResources } from '../../../../typescript/src/resources/watched-resources.ts'
import { follow } from '../../../../typescript/src/watch/follow.ts'
import { useLive } from '../../live/use-live.ts'
import { transport } from '../../session/connection.ts'
import type { ListedResource } from '../listed-resource.ts'
import { type ListedKind, listQuery, readResourcePage } from './read-resource-page.ts'
import { RowList } from './row-list.ts'

/** A list that is read and followed. While another search is loading, the rows of the last one stay. */
export function useRowList(listed: ListedKind, order: string) {
  const { kind, search } = listed
  const { plural, parent_kind: parent } = kind
  const list = useMemo(() => {
    const read = { kind: { plural, parent_kind: parent }, search }
    return new RowList<ListedResource>(readResourcePage(read, order))
  }, [plural, parent, search, order])
  useEffect(() => {
    list.start()
    return () => list.stop()
  }, [list])
  const state = useSyncExternalStore(list.subscribe, list.state)
  const from = state.resourceVersion
  useLive<ListedResource>(
    from === undefined
      ? null
      : {
          key: `${plural} ${order} ${search}`,
          from,
          open: (start) =>
            follow(
              transport,
              watchedResources<ListedResource>(apiPath(plural), listQuery(listed), start.signal),
              start,
            ),
          onBatch: (events) => list.apply(events),
          onReset: () => list.reset(),
        },
  )
  const [last, setLast] = useState({ plural, list })
  const isLoading = state.status === 'loading'
  if (!isLoading && last.list !== list) setLast({ plural, list })
  return { list: isLoading && last.plural === plural ? last.list : list, state, isLoading }
}
