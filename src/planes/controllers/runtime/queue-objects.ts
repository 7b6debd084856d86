import type { FleetSelection } from '../../../store/objects/model/fleet-query.ts'
import type { FleetClient, FleetObject } from '../client/fleet-client.ts'
import type { WorkQueue } from './work-queue.ts'

/** A pass reads no further page while this number of items waits. */
const MAX_WAITING = 5000

/** A full pass of a controller: its queue, the signal that stops it, and the planes to read. */
export type FullPass<Item> = readonly [WorkQueue<Item>, AbortSignal, FleetClient]

/** Queues the items of all stored objects that match, page by page. */
export async function queueObjects<Item>(
  [queue, signal, fleet]: FullPass<Item>,
  selection: FleetSelection,
  itemsOf: (object: FleetObject) => readonly Item[],
): Promise<void> {
  for await (const page of fleet.scan(selection)) {
    for (const item of page.flatMap(itemsOf)) queue.add(item)
    await queue.whenBelow(MAX_WAITING)
    if (signal.aborted) return
  }
}
