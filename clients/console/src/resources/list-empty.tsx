import { Link } from '@tanstack/react-router'
import { Button } from '../design/button.tsx'
import { buttonClass } from '../design/button-class.ts'
import { EmptyState } from '../design/states/empty-state.tsx'

interface ListEmptyProps {
  readonly plural: string
  readonly title: string
  readonly search: string
  readonly canCreate: boolean
  readonly onSearch: (search: string) => void
}

/** A list without rows: how to create the first resource, or how to widen the search. */
export function ListEmpty({ plural, title, search, canCreate, onSearch }: ListEmptyProps) {
  if (search !== '') {
    return (
      <EmptyState
        icon="search"
        title={`No ${title.toLowerCase()} match this search`}
        actions={<Button onClick={() => onSearch('')}>Clear the search</Button>}
      >
        Resources appear here as soon as they match. Text compares exactly; use ilike
        &apos;%…%&apos; to find parts of a text in either letter case.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={plural === 'clusters' ? 'cluster' : 'resource'}
      title={`There are no ${title.toLowerCase()} yet`}
      {...(plural === 'clusters' && {
        command: 'flotilla create cluster my-cluster --label environment=dev',
      })}
      {...(canCreate && {
        actions: (
          <Link
            to="/resources/$plural/new"
            params={{ plural }}
            className={buttonClass({ variant: 'primary' })}
          >
            Create the first one
          </Link>
        ),
      })}
    >
      They appear here as soon as they are created, from here, from the command line or by any
      client of the API.
    </EmptyState>
  )
}
