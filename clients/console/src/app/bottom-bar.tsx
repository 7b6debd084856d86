import { Menu } from '@base-ui/react/menu'
import { Link } from '@tanstack/react-router'
import { Icon } from '../design/icon.tsx'
import menu from '../design/overlays/menu.module.css'
import type { NavItem } from './nav-items.ts'
import css from './navigation.module.css'
import { useNavItems } from './use-nav-items.ts'

const SETTINGS: NavItem = { label: 'Settings', to: '/settings', icon: 'settings' }

/** The bar at the bottom of narrow windows: the most used pages, and a menu with the others. */
export function BottomBar() {
  const { main, resources, workloads } = useNavItems()
  const shown = [
    ...main.slice(0, 1),
    ...resources.slice(0, 1),
    ...workloads.filter(({ label }) => label !== 'Planes'),
  ]
  const all = [...main, ...resources, ...workloads, SETTINGS]
  const others = all.filter(({ to }) => !shown.some((item) => item.to === to))
  return (
    <nav className={css['bar']} aria-label="Pages">
      {shown.map(({ label, to, icon }) => (
        <Link
          key={to}
          to={to}
          className={css['tab'] ?? ''}
          activeOptions={{ exact: to === '/', includeSearch: false }}
        >
          <Icon name={icon} size={18} />
          {label}
        </Link>
      ))}
      <Menu.Root>
        <Menu.Trigger className={css['tab'] ?? ''}>
          <Icon name="menu" size={18} />
          More
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner className={menu['positioner'] ?? ''} side="top" align="end">
            <Menu.Popup className={menu['popup'] ?? ''}>
              {others.map(({ label, to, icon }) => (
                <Menu.LinkItem
                  key={to}
                  className={menu['item'] ?? ''}
                  closeOnClick
                  render={<Link to={to} />}
                >
                  <Icon name={icon} />
                  {label}
                </Menu.LinkItem>
              ))}
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
    </nav>
  )
}
