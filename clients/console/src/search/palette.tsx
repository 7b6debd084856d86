import { Dialog } from '@base-ui/react/dialog'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { HYPERFLEET, useAccess } from '../access/use-access.ts'
import { useNavItems } from '../app/use-nav-items.ts'
import { kindsQuery } from '../data/kinds.ts'
import { Icon } from '../design/icon.tsx'
import { filterEntries } from './filter-entries.ts'
import { fixedEntries } from './fixed-entries.ts'
import { foundEntries } from './found-entries.ts'
import { showOverlay } from './overlay-store.ts'
import type { PaletteEntry } from './palette-entry.ts'
import css from './palette.module.css'
import { useDebounced } from '../design/hooks/use-debounced.ts'

/** Finds pages, actions, resources, fleets and sandboxes by their names. */
export default function Palette() {
  const navigate = useNavigate()
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [text, setText] = useState('')
  const [index, setIndex] = useState(0)
  const { entries, isSearching } = useEntries(text)
  const current = entries[Math.min(index, entries.length - 1)]
  const close = () => showOverlay(null)
  const open = (entry: PaletteEntry | undefined) => {
    if (entry === undefined) return
    close()
    if (typeof entry.target === 'string') void navigate({ to: entry.target })
    else entry.target()
  }
  const press = (event: KeyboardEvent) => {
    // The keys choose among the characters that an input method proposes.
    if (event.nativeEvent.isComposing) return
    const last = entries.length - 1
    if (event.key === 'ArrowDown') setIndex(index >= last ? 0 : index + 1)
    else if (event.key === 'ArrowUp') setIndex(index <= 0 ? last : index - 1)
    else if (event.key === 'Enter') open(current)
    else return
    event.preventDefault()
  }
  const shownId = current?.id
  const position = current === undefined ? -1 : entries.indexOf(current)
  useEffect(() => {
    if (shownId === undefined) return
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [shownId])
  return (
    <Dialog.Root open onOpenChange={(next) => !next && close()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={css['backdrop']} />
        <Dialog.Popup className={css['popup']} aria-label="Search across everything">
          <div className={css['field']}>
            <Icon name="search" />
            <input
              role="combobox"
              aria-label="Search across everything"
              aria-expanded="true"
              aria-controls={`${id}-list`}
              aria-activedescendant={position < 0 ? undefined : `${id}-${position}`}
              aria-autocomplete="list"
              placeholder="Clusters, node pools, fleets, sandboxes, pages, actions"
              value={text}
              onChange={(event) => {
                setText(event.target.value)
                setIndex(0)
              }}
              onKeyDown={press}
              autoComplete="off"
              spellCheck={false}
            />
          </div>
          <div
            ref={list}
            id={`${id}-list`}
            role="listbox"
            aria-label="Results"
            className={css['list']}
          >
            {entries.map((entry, at) => (
              <Entry
                key={entry.id}
                id={`${id}-${at}`}
                entry={entry}
                isFirst={entry.group !== entries[at - 1]?.group}
                isCurrent={entry === current}
                onOpen={() => open(entry)}
              />
            ))}
          </div>
          <p className={css['note']} role="status">
            {entries.length === 0 && !isSearching
              ? 'Nothing has this in its name.'
              : noteOf(isSearching)}
          </p>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** Pages and actions, after what the server finds. */
function useEntries(text: string) {
  const name = useDebounced(text.trim())
  const { data: kinds = [] } = useQuery(kindsQuery)
  const plurals = kinds.map(({ plural }) => plural)
  const found = useQuery({
    queryKey: ['palette', name, plurals],
    enabled: name !== '',
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => foundEntries(name, plurals, signal),
  })
  const nav = useNavItems()
  const access = useAccess()
  const creatable = kinds.filter(
    ({ parent_kind: parent, plural: resource }) =>
      parent === null && access({ verb: 'create', group: HYPERFLEET, resource }) === null,
  )
  const fixed = filterEntries(fixedEntries(nav, creatable), text)
  const matches = name === '' || text.trim() === '' ? [] : (found.data ?? [])
  const isSearching = found.isFetching || name !== text.trim()
  return { entries: [...matches, ...fixed], isSearching }
}

function noteOf(isSearching: boolean): string {
  return isSearching ? 'Searching…' : 'Arrow keys and Enter open a result.'
}

interface EntryProps {
  readonly id: string
  readonly entry: PaletteEntry
  /** Whether the entry begins its group. */
  readonly isFirst: boolean
  readonly isCurrent: boolean
  readonly onOpen: () => void
}

function Entry({ id, entry, isFirst, isCurrent, onOpen }: EntryProps) {
  const { label, detail, group, icon } = entry
  return (
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isCurrent}
      className={css['entry']}
      onClick={onOpen}
      // The keyboard works in the input, which has the focus.
      onKeyDown={(event) => event.key === 'Enter' && onOpen()}
    >
      <Icon name={icon} />
      <span className={css['label']}>{label}</span>
      {detail !== undefined && <span className={css['detail']}>{detail}</span>}
      <span className={css['group']} data-first={isFirst}>
        {group}
      </span>
    </div>
  )
}
