import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { HYPERFLEET, useIsAllowed, useResourceAccess } from '../access/use-access.ts'
import { ActionMenu, type MenuAction } from '../design/overlays/action-menu.tsx'
import { SaveViewDialog } from '../views/save-view-dialog.tsx'
import { chooseStartView, startView } from '../views/start-view.ts'
import { useOpenView } from '../views/use-open-view.ts'
import { openedViewQuery, viewsQuery } from '../views/views-query.ts'
import { savedSearches, toggleSavedSearch } from './list-preferences.ts'
import type { ListSearch } from './list-search.ts'

interface SavedSearchesMenuProps {
  readonly plural: string
  /** Undefined until the kinds are loaded. */
  readonly kind: string | undefined
  /** The list that a view saves. */
  readonly list: ListSearch
  readonly search: string
  readonly onSearch: (search: string) => void
}

/** Saves the current list as a view, or its search on this device, and opens saved ones. */
export function SavedSearchesMenu(props: SavedSearchesMenuProps) {
  const { plural, kind = '', list, search, onSearch } = props
  const [, setVersion] = useState(0)
  const [isSaving, setSaving] = useState(false)
  const canList = useIsAllowed({ verb: 'list', group: HYPERFLEET, resource: 'views' }) === true
  const { data: views = [] } = useQuery({ ...viewsQuery(kind), enabled: canList && kind !== '' })
  const isView = list.view !== undefined
  // Until the view of the list is read, the dialog would save another one.
  const opened = useQuery({ ...openedViewQuery(list.view ?? ''), enabled: isView })
  const createDenied = useResourceAccess('create', 'views')
  const open = useOpenView()
  const saved = savedSearches(plural)
  const isSaved = saved.includes(search)
  const changed = () => setVersion((version) => version + 1)
  const actions: readonly MenuAction[] = [
    {
      label: 'Save as a view…',
      icon: 'bookmark',
      denied: createDenied,
      disabled: kind === '' || (isView && opened.isPending),
      onSelect: () => setSaving(true),
    },
    ...startActions(list.view, changed),
    ...views.map((view) => ({
      label: view.name,
      icon: 'right' as const,
      onSelect: () => open(view, plural),
    })),
    {
      label: isSaved ? 'Forget this search' : 'Save this search',
      icon: isSaved ? 'minus' : 'plus',
      disabled: search === '',
      onSelect: () => {
        toggleSavedSearch(plural, search)
        changed()
      },
    },
    ...saved.map((one) => ({
      label: one,
      icon: 'search' as const,
      onSelect: () => onSearch(one),
    })),
  ]
  return (
    <>
      <ActionMenu label="Saved searches" icon="bookmark" actions={actions} />
      {isSaving && (
        <SaveViewDialog
          kind={kind}
          list={list}
          view={opened.data?.spec.kind === kind ? opened.data : undefined}
          onClose={() => setSaving(false)}
          onSaved={(view) => open(view, plural)}
        />
      )}
    </>
  )
}

/** The choice of the view that this browser opens first. */
function startActions(view: string | undefined, onChange: () => void): readonly MenuAction[] {
  const start = startView()
  if (view === undefined) return []
  const isStart = start === view
  return [
    {
      label: isStart ? 'Open the overview first' : `Open ${view} first`,
      icon: isStart ? 'overview' : 'play',
      onSelect: () => {
        chooseStartView(isStart ? null : view)
        onChange()
      },
    },
  ]
}
