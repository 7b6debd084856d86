import { createHash } from 'node:crypto'
import type { ApiObject } from '../../model/api-object.ts'
import { isConflict } from '../client/api-failures.ts'
import type { PlaneClient, ResourceName } from '../client/plane-client.ts'

/** An event about an object. */
export interface ObjectEvent {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
}

interface Source {
  /** The name of the controller. */
  readonly component: string
  readonly now: Date
}

const EVENTS: ResourceName = { group: '', version: 'v1', plural: 'events' }
/** The namespace of events about cluster-scoped objects. */
const CLUSTER_NAMESPACE = 'default'

/**
 * Reports an event of an object in its plane. An event with the same reason and message increases
 * the count of the first one.
 */
// oxlint-disable-next-line max-params -- a public function
export async function recordEvent(
  client: PlaneClient,
  object: ApiObject,
  event: ObjectEvent,
  source: Source,
): Promise<void> {
  const created = eventOf(object, event, source)
  try {
    await client.create(EVENTS, created)
  } catch (error) {
    if (!isConflict(error)) throw error
    await repeat(client, created)
  }
}

/** Another controller may count the event at the same time; the count is then too low. */
async function repeat(client: PlaneClient, { metadata, lastTimestamp }: ApiObject): Promise<void> {
  const name = { namespace: metadata.namespace ?? CLUSTER_NAMESPACE, name: metadata.name ?? '' }
  const { count } = await client.get(EVENTS, name)
  const body = {
    count: (typeof count === 'number' ? count : 1) + 1,
    ...(lastTimestamp !== undefined && { lastTimestamp }),
  }
  await client.patch(EVENTS, name, { type: 'merge', body })
}

function eventOf(
  { apiVersion, kind, metadata }: ApiObject,
  { type, reason, message }: ObjectEvent,
  { component, now }: Source,
): ApiObject {
  const { name = '', uid = '', resourceVersion = '' } = metadata
  const namespace = metadata.namespace || CLUSTER_NAMESPACE
  const time = `${now.toISOString().slice(0, 19)}Z`
  const digest = createHash('sha256').update([uid, reason, message].join('\n')).digest('hex')
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { namespace, name: `${name.slice(0, 180)}.${digest.slice(0, 16)}` },
    involvedObject: {
      apiVersion,
      kind,
      name,
      ...(metadata.namespace && { namespace: metadata.namespace }),
      uid,
      resourceVersion,
    },
    type,
    reason,
    message,
    source: { component },
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
  }
}
