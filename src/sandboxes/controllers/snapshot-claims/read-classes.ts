import type { PlaneClient } from 'flotilla/controllers'
import { type SnapshotClass, snapshotClassOf } from '../../model/backends/snapshot-class.ts'
import { CLASSES } from './snapshot-resources.ts'

/** All SnapshotClasses of a plane. */
export async function readClasses(client: PlaneClient): Promise<readonly SnapshotClass[]> {
  const classes: SnapshotClass[] = []
  for await (const page of client.pages(CLASSES)) classes.push(...page.items.map(snapshotClassOf))
  return classes
}
