import { Link } from '@tanstack/react-router'
import { Icon } from '../design/icon.tsx'
import type { NavItem } from './nav-items.ts'
import css from './navigation.module.css'
import { useNavItems } from './use-nav-items.ts'

/** The navigation at the left of wide windows. */
export function Navigation() {
  const { main, resources, workloads } = useNavItems()
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
