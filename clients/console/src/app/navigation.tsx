import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { kindsQuery } from '../data/kinds.ts'
import { Icon } from '../design/icon.tsx'
import { type NavItem, navItems } from './nav-items.ts'
import css from './navigation.module.css'

/** The navigation at the left of wide windows. */
export function Navigation() {
  const { data: kinds } = useQuery(kindsQuery)
  const { main, resources, workloads } = navItems(kinds)
  return (
    <nav className={css['nav']} aria-label="Pages">
      <Group items={main} />
      <Group label="Resources" items={resources} />
      <Group label="Workloads" items={workloads} />
    </nav>
  )
}

function Group({ label, items }: { readonly label?: string; readonly items: readonly NavItem[] }) {
  return (
    <div className={css['group']}>
      {label !== undefined && <div className={css['label']}>{label}</div>}
      <ul>
        {items.map((item) => (
          <li key={item.to}>
            <NavLink item={item} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function NavLink({ item: { label, to, icon, key } }: { readonly item: NavItem }) {
  return (
    <Link
      to={to}
      className={css['link'] ?? ''}
      activeOptions={{ exact: to === '/', includeSearch: false }}
      {...(key !== undefined && { title: `${label} (g ${key})` })}
    >
      <Icon name={icon} />
      {label}
    </Link>
  )
}
