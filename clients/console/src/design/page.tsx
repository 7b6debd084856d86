import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { Icon, type IconName } from './icon.tsx'
import css from './page.module.css'

/** A page above the current one. */
export interface Crumb {
  readonly label: string
  /** A path below `/console`, such as `/resources/clusters`. */
  readonly to: string
}

interface PageProps {
  readonly title: string
  /** The icon of the kind. */
  readonly icon?: IconName
  /** The pages above this one, the topmost first. */
  readonly trail?: readonly Crumb[]
  /** A badge after the title. */
  readonly status?: ReactNode
  /** Buttons at the right of the title. */
  readonly actions?: ReactNode
  /** Fills the window exactly, for pages whose content scrolls by itself. */
  readonly fill?: boolean
  /** Without the space around the content. */
  readonly flush?: boolean
  readonly children: ReactNode
}

/** The frame of every page: breadcrumb, title, actions and content. */
export function Page(props: PageProps) {
  const { title, icon, trail = [], status, actions, fill = false, flush = false, children } = props
  useEffect(() => {
    document.title = `${title} · Flotilla`
  }, [title])
  return (
    <div className={`${css['page']} ${fill ? css['fill'] : ''}`}>
      <header className={css['head']}>
        <div className={css['titles']}>
          {trail.length > 0 && <Trail crumbs={trail} />}
          {icon !== undefined && (
            <span className={css['icon']}>
              <Icon name={icon} size={18} />
            </span>
          )}
          <h1 className={css['title']}>{title}</h1>
          {status}
        </div>
        {actions !== undefined && <div className={css['actions']}>{actions}</div>}
      </header>
      <div className={`${css['body']} ${flush ? '' : css['padded']}`}>{children}</div>
    </div>
  )
}

function Trail({ crumbs }: { readonly crumbs: readonly Crumb[] }) {
  return (
    <nav aria-label="Breadcrumb">
      <ol className={css['trail']}>
        {crumbs.map(({ label, to }) => (
          <li key={to}>
            <Link to={to}>{label}</Link>
            <Icon name="right" size={12} />
          </li>
        ))}
      </ol>
    </nav>
  )
}
