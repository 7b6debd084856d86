import { startInformer, untilSynced } from '../../runtime/informer.ts'
import { systemTimers, type Timers } from '../../runtime/timers.ts'
import type { ClusterSubscriber } from '../fleet-client.ts'
import type { PlaneClient, ResourceName } from '../plane-client.ts'

interface Options {
  /** The root plane. */
  readonly client: PlaneClient
  readonly clusters: ResourceName
  readonly label: string
  readonly subscriber: ClusterSubscriber
  readonly onError: (error: unknown) => void
  /** Ends the wait for the first list. */
  readonly signal: AbortSignal
  readonly random?: () => number
  readonly timers?: Timers
}

/** Follows clusters with a label through one watch. Clusters of the first list are not reported. */
export async function followClustersOverHttp(options: Options): Promise<AsyncDisposable> {
  const { client, clusters, label, subscriber, onError } = options
  let isSilent = true
  /** The values before the next change, by UID: an object that lost the label has none. */
  const values = new Map<string, string>()
  const informer = startInformer({
    client,
    resource: clusters,
    selection: { labelSelector: label },
    timers: options.timers ?? systemTimers,
    random: options.random ?? Math.random,
    onError,
    onChange: ({ type, object: { metadata } }) => {
      const { uid = '', labels } = metadata
      const [before, after] = [values.get(uid), labels?.[label]]
      if (type === 'deleted' || after === undefined) values.delete(uid)
      else values.set(uid, after)
      const changed = [before, after].filter((value) => value !== undefined)
      if (isSilent) return
      subscriber.onChanges([...new Set(changed)].map((value) => ({ plane: client.plane, value })))
    },
  })
  await untilSynced([informer], options.signal)
  isSilent = false
  return informer
}
