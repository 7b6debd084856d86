import type { ObjectKey } from '../../../../store/objects/model/stored-object.ts'
import type { WriteFence } from '../../../../store/objects/model/write-fence.ts'
import { resourceNotServed } from '../api-failures.ts'
import type { FleetSelection } from '../../../../store/objects/model/fleet-query.ts'
import type { FleetClient, FleetObject, FleetSubscriber } from '../fleet-client.ts'
import { fleetChange, fleetObject } from './change-objects.ts'
import type { InProcessOptions } from './in-process-options.ts'
import { createInProcessPlaneClient } from './in-process-plane-client.ts'

const PAGE_SIZE = 500

/** Access to all planes for the controllers of this server, without HTTP. */
export function createInProcessFleetClient(
  options: InProcessOptions,
  fence: WriteFence | null = null,
): FleetClient {
  return {
    plane: (id) => createInProcessPlaneClient(options, id, fence),
    planes: () => readPlanes(options),
    scan: (selection, after = null) => scan(options, selection, after),
    followAll: (resources, subscriber) =>
      Promise.resolve(followAll(options, resources, subscriber)),
    followClusters: (label, subscriber) => {
      const { subscribeClusters } = options
      if (!subscribeClusters) return Promise.reject(resourceNotServed())
      const subscription = subscribeClusters(label, subscriber)
      return Promise.resolve({
        [Symbol.asyncDispose]: () => Promise.resolve(subscription[Symbol.dispose]()),
      })
    },
    fence,
    fencedBy: (term) => createInProcessFleetClient(options, term),
  }
}

async function* readPlanes({ reader }: InProcessOptions): AsyncGenerator<readonly string[]> {
  let planes = await reader.readPlanes('', PAGE_SIZE)
  for (let last = planes.at(-1); last !== undefined; last = planes.at(-1)) {
    yield planes
    planes = await reader.readPlanes(last, PAGE_SIZE)
  }
}

async function* scan(
  { reader }: InProcessOptions,
  selection: FleetSelection,
  start: ObjectKey | null,
): AsyncGenerator<readonly FleetObject[]> {
  let after = start
  do {
    const page = await reader.read({ ...selection, after, limit: PAGE_SIZE })
    if (page.length > 0) yield page.map(fleetObject)
    after = page.length === PAGE_SIZE ? (page.at(-1) ?? null) : null
  } while (after !== null)
}

function followAll(
  { subscribe }: InProcessOptions,
  resources: readonly string[] | '*',
  { onChanges, onLost, onEmptied }: FleetSubscriber,
): AsyncDisposable {
  const wanted = resources === '*' ? null : new Set(resources)
  const subscription = subscribe({
    onChanges: (changes) => {
      const relevant = changes.filter(({ resource }) => wanted?.has(resource) ?? true)
      if (relevant.length > 0) onChanges(relevant.map(fleetChange))
    },
    onLost,
    ...(onEmptied && { onEmptied }),
  })
  return {
    [Symbol.asyncDispose]: () => {
      subscription[Symbol.dispose]()
      return Promise.resolve()
    },
  }
}
