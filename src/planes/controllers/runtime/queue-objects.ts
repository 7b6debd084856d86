import type { FleetClient, FleetObject, FleetSelection } from '../client/fleet-client.ts'
import type { WorkQueue } from './work-queue.ts'

/** A pass reads no further page while this number of items waits. */
const MAX_WAITING = 5000

/** A full pass of a controller. */
export interface FullPass<Item> {
  readonly fleet: FleetClient
  readonly queue: WorkQueue<Item>
  readonly signal: AbortSignal
}

/** Queues the items of all stored objects that match, page by page. */
export async function queueObjects<Item>(
  { fleet, queue, signal }: FullPass<Item>,
  selection: FleetSelection,
  itemsOf: (object: FleetObject) => readonly Item[],
): Promise<void> {
  for await (const page of fleet.scan(selection)) {
    for (const item of page.flatMap(itemsOf)) queue.add(item)
    await queue.whenBelow(MAX_WAITING)
    if (signal.aborted) return
  }
}
