import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Badge } from '../design/badge.tsx'
import { firingSince } from './view.ts'
import { viewQuery } from './views-query.ts'

/** The view that a list belongs to, with a link to its settings and its alert. */
export function ViewBadge({ name }: { readonly name: string }) {
  const { data: view } = useQuery(viewQuery(name))
  if (view === undefined) return null
  const isFiring = firingSince(view) !== null
  return (
    <Link to="/resources/$plural/$id" params={{ plural: 'views', id: view.id }}>
      <Badge tone={isFiring ? 'bad' : 'neutral'} icon={isFiring ? 'alert' : 'bookmark'}>
        {isFiring ? `View ${name}: alert fires` : `View ${name}`}
      </Badge>
    </Link>
  )
}
