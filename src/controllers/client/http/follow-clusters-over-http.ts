import type { ApiObject } from '../../../apis/kube/model/api-object.ts'
import { startInformer } from '../../runtime/informer.ts'
import { systemTimers, type Timers } from '../../runtime/timers.ts'
import type { ClusterSubscriber } from '../fleet-client.ts'
import type { PlaneClient, ResourceName } from '../plane-client.ts'

const CLUSTERS: ResourceName = { group: 'hyperfleet.io', version: 'v1', plural: 'clusters' }

interface Options {
  /** The root plane. */
  readonly client: PlaneClient
  readonly label: string
  readonly subscriber: ClusterSubscriber
  readonly onError: (error: unknown) => void
  readonly random?: () => number
  readonly timers?: Timers
}

/** Follows clusters with a label through one watch. Clusters of the first list are not reported. */
export async function followClustersOverHttp(options: Options): Promise<AsyncDisposable> {
  const { client, label, subscriber, onError } = options
  let isSilent = true
  const valuesOf = (...objects: readonly ApiObject[]): ReadonlySet<string> => {
    const values = objects.map(({ metadata }) => metadata.labels?.[label])
    return new Set(values.filter((value) => value !== undefined))
  }
  const informer = startInformer({
    client,
    resource: CLUSTERS,
    selection: { labelSelector: label },
    timers: options.timers ?? systemTimers,
    random: options.random ?? Math.random,
    onError,
    onChange: (change) => {
      if (isSilent) return
      const old = change.type === 'updated' ? [change.old] : []
      const values = valuesOf(change.object, ...old)
      // A cluster that lost the label may have any value.
      if (values.size > 0) subscriber.onChanges(values)
      else subscriber.onLost()
    },
  })
  await informer.synced
  isSilent = false
  return informer
}
