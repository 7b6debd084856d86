import { Link, Outlet } from '@tanstack/react-router'
import { Toasts } from '../design/overlays/toasts.tsx'
import { LiveStatus } from '../live/live-status.tsx'
import { Overlays } from '../search/overlays.tsx'
import { PaletteButton } from '../search/palette-button.tsx'
import { TokenDialog } from '../session/token-dialog.tsx'
import { FiringLink } from '../views/firing-link.tsx'
import css from './layout.module.css'
import { BottomBar } from './bottom-bar.tsx'
import { Navigation } from './navigation.tsx'
import { ThemeMenu } from './theme-menu.tsx'
import { UserLink } from './user-link.tsx'

/** The frame around all pages. */
export function Layout() {
  return (
    <div className={css['layout']}>
      <a className={css['skip']} href="#main">
        Skip to the content
      </a>
      <header className={css['side']}>
        <Link to="/" className={css['brand'] ?? ''} aria-label="Flotilla, overview">
          <img src="/console/icon.svg" width="22" height="22" alt="" />
          <span>Flotilla</span>
        </Link>
        <Navigation />
        <div className={css['foot']}>
          <UserLink />
        </div>
      </header>
      <div className={css['content']}>
        <div className={css['tools']}>
          <PaletteButton />
          <FiringLink />
          <LiveStatus />
          <ThemeMenu />
        </div>
        <main id="main" className={css['main']} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <BottomBar />
      <Overlays />
      <TokenDialog />
      <Toasts />
    </div>
  )
}
