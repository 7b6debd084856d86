import type { HistoryEntry, ResourceChange } from '../../../typescript/src/index.ts'
import type { IconName } from '../design/icon.tsx'
import { type ChangeText, changeText, historyText } from './change-text.ts'
import type { TimelineEntry } from './timeline-entry.ts'

type Changed = Pick<ResourceChange, 'type' | 'by' | 'time' | 'generation' | 'id' | 'name' | 'kind'>

const ICONS: Readonly<Record<ResourceChange['type'], IconName>> = {
  created: 'plus',
  updated: 'edit',
  deleted: 'trash',
  removed: 'trash',
  reported: 'refresh',
}
/** The verbs of the requests that cause changes. */
const VERBS: Readonly<Record<ResourceChange['type'], readonly string[]>> = {
  created: ['create'],
  updated: ['patch', 'update'],
  deleted: ['delete'],
  removed: ['forcedelete'],
  reported: ['report'],
}

/** An entry of the log of changes. The plural leads to the page of the resource, if it is known. */
export function changeEntry(change: ResourceChange, plural?: string): TimelineEntry {
  const { resource_version: version, id, adapter = '' } = change
  return entryOf(change, changeText(change), { key: `change ${version} ${id} ${adapter}`, plural })
}

/** An entry of the history of a resource; `index` is its place from the newest one. */
export function historyEntry(entry: HistoryEntry, index: number): TimelineEntry {
  return entryOf(entry, historyText(entry), { key: `history ${index}`, plural: undefined })
}

interface Place {
  readonly key: string
  readonly plural: string | undefined
}

function entryOf(change: Changed, { action, details }: ChangeText, at: Place): TimelineEntry {
  const { type, by, time, generation, id, name, kind } = change
  const { key, plural } = at
  return {
    key,
    log: 'change',
    time,
    icon: ICONS[type],
    // Adapters have finished the deletion.
    who: type === 'removed' && by === '' ? 'The server' : by,
    action,
    subject: {
      label: `${kind} ${name}`,
      to: plural === undefined ? null : `/resources/${plural}/${encodeURIComponent(id)}`,
    },
    note: `generation ${generation}`,
    details,
    names: [name, id, plural ?? kind, ...VERBS[type]],
    places: [],
    outcome: 'succeeded',
  }
}
