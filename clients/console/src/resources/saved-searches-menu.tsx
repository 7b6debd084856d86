import { useState } from 'react'
import { ActionMenu, type MenuAction } from '../design/overlays/action-menu.tsx'
import { savedSearches, toggleSavedSearch } from './list-preferences.ts'

interface SavedSearchesMenuProps {
  readonly plural: string
  readonly search: string
  readonly onSearch: (search: string) => void
}

/** Saves the current search on this device and opens saved ones. */
export function SavedSearchesMenu({ plural, search, onSearch }: SavedSearchesMenuProps) {
  const [, setVersion] = useState(0)
  const saved = savedSearches(plural)
  const isSaved = saved.includes(search)
  const save: MenuAction = {
    label: isSaved ? 'Forget this search' : 'Save this search',
    icon: isSaved ? 'minus' : 'plus',
    disabled: search === '',
    onSelect: () => {
      toggleSavedSearch(plural, search)
      setVersion((version) => version + 1)
    },
  }
  const open = saved.map((one) => ({
    label: one,
    icon: 'search' as const,
    onSelect: () => onSearch(one),
  }))
  return <ActionMenu label="Saved searches" icon="bookmark" actions={[save, ...open]} />
}
