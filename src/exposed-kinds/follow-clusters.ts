import type { ClusterLabel, ClusterSubscriber } from '../planes/controllers/client/fleet-client.ts'
import type { Broadcaster } from '../store/feed/broadcaster.ts'
import type { Change, ResourceChange } from '../store/model/change.ts'
import { isJsonObject, type JsonValue } from '../lib/json/json.ts'
import { PLANE_KIND } from './plane-directory.ts'
import type { ResourceRoots } from './resource-roots.ts'

interface Parts {
  readonly broadcaster: Broadcaster
  readonly roots: Pick<ResourceRoots, 'rootOf'>
}

/**
 * Sends the changes of clusters that have a label, or had it before the change. Other changes cost
 * a search in their labels, and heartbeats are not in the feed.
 */
export function followClusters(
  { broadcaster, roots }: Parts,
  label: string,
  { onChanges, onLost }: ClusterSubscriber,
): Disposable {
  let isClosed = false
  let subscription: Disposable | null = null
  const subscribe = (): void => {
    subscription = broadcaster.subscribe({
      onChanges: (changes) => {
        const labels = new Map(
          changes
            .flatMap((change) => labelsOf(roots, change, label))
            .map((found) => [`${found.plane}/${found.value}`, found]),
        )
        if (labels.size > 0) onChanges([...labels.values()])
      },
      onLost: () => {
        // The broadcaster has ended the subscription.
        if (!isClosed) subscribe()
        onLost()
      },
    })
  }
  subscribe()
  return {
    [Symbol.dispose]: () => {
      isClosed = true
      subscription?.[Symbol.dispose]()
    },
  }
}

function labelsOf(roots: Parts['roots'], change: Change, label: string): readonly ClusterLabel[] {
  if (change.subject !== 'resource' || change.resource.kind !== PLANE_KIND) return []
  const { resource, before }: ResourceChange = change
  const values = [...valueIn(resource.labels, label), ...valueIn(before?.labels, label)]
  const plane = roots.rootOf(resource.tenant)
  return plane === null ? [] : values.map((value) => ({ plane, value }))
}

/** A text without the label is not parsed. */
function valueIn(labels: string | undefined, label: string): readonly string[] {
  if (labels === undefined || !labels.includes(label)) return []
  const parsed: JsonValue = JSON.parse(labels)
  const value = isJsonObject(parsed) ? parsed[label] : undefined
  return typeof value === 'string' ? [value] : []
}
