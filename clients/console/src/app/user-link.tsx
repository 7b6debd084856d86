import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { whoAmIQuery } from '../data/who-am-i.ts'
import { Icon } from '../design/icon.tsx'
import css from './user-link.module.css'

/** The caller, with a link to the settings. */
export function UserLink() {
  const { data } = useQuery(whoAmIQuery)
  return (
    <Link to="/settings" className={css['user'] ?? ''} title="Settings (g ,)">
      <Icon name="user" />
      <span className={css['name']}>{data?.user ?? 'Settings'}</span>
      <Icon name="settings" />
    </Link>
  )
}
