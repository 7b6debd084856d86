import type { LogEntry } from '../storage/changes/object-change-row.ts'

/** The approximate size of the other members of an entry, in bytes. */
const FIXED_BYTES = 600

/** The approximate size of an entry in memory, in bytes. A character counts as one byte. */
export function entrySize(entry: LogEntry): number {
  if (entry.type === 'REMOVED') return FIXED_BYTES
  return FIXED_BYTES + entry.body.length + entry.managedFields.length
}
