import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { kindsQuery } from '../data/kinds.ts'
import { Button } from '../design/button.tsx'
import { Icon } from '../design/icon.tsx'
import { savedSearches, toggleSavedSearch } from '../resources/list-preferences.ts'
import css from './saved-searches.module.css'

/** The searches that the user saved in lists on this device. */
export function SavedSearches() {
  const [, setVersion] = useState(0)
  const { data: kinds } = useQuery(kindsQuery)
  const saved = (kinds ?? []).flatMap(({ kind, plural }) =>
    savedSearches(plural).map((search) => ({ kind, plural, search })),
  )
  if (saved.length === 0) {
    return <p className={css['none']}>Save a search with the bookmark above a list.</p>
  }
  const forget = (plural: string, search: string) => {
    toggleSavedSearch(plural, search)
    setVersion((version) => version + 1)
  }
  return (
    <ul>
      {saved.map(({ kind, plural, search }) => (
        <li key={`${plural} ${search}`} className={css['item']}>
          <span className={css['kind']}>{kind}</span>
          <Link
            to="/resources/$plural"
            params={{ plural }}
            search={{ q: search }}
            className={css['search'] ?? ''}
          >
            <code>{search}</code>
          </Link>
          <Button
            variant="ghost"
            size="small"
            square
            aria-label={`Forget ${search}`}
            onClick={() => forget(plural, search)}
          >
            <Icon name="trash" size={14} />
          </Button>
        </li>
      ))}
    </ul>
  )
}
