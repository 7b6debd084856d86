import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react'
import { navItems } from '../app/nav-items.ts'
import { pageCode } from '../app/page-load-error.ts'
import { kindsQuery } from '../data/kinds.ts'
import { onOverlayChange, showOverlay, shownOverlay } from './overlay-store.ts'
import { readShortcut } from './read-shortcut.ts'

const loadPalette = pageCode(() => import('./palette.tsx'))
const Palette = lazy(loadPalette)
const KeyboardHelp = lazy(pageCode(() => import('./keyboard-help.tsx')))

const PREFIX_MS = 1200
const PRELOAD_MS = 1500

/** The palette, the help and the keys that work on every page. */
export function Overlays() {
  const overlay = useSyncExternalStore(onOverlayChange, shownOverlay)
  const navigate = useNavigate()
  const { data: kinds } = useQuery(kindsQuery)
  useEffect(() => {
    const groups = navItems(kinds)
    const items = [...groups.main, ...groups.resources, ...groups.workloads]
    let prefixAt = Number.NEGATIVE_INFINITY
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return
      const isAfterPrefix = event.timeStamp - prefixAt < PREFIX_MS
      prefixAt = Number.NEGATIVE_INFINITY
      const shortcut = readShortcut(
        {
          key: event.key,
          hasCommand: event.ctrlKey || event.metaKey,
          hasAlt: event.altKey,
          isTyping: isTyping(event.target),
          isAfterPrefix,
        },
        items,
      )
      if (shortcut.type === 'none') return
      event.preventDefault()
      if (shortcut.type === 'prefix') prefixAt = event.timeStamp
      else if (shortcut.type === 'go') void navigate({ to: shortcut.to })
      else if (shortcut.type !== 'search') showOverlay(shortcut.type)
      else if (!focusSearch()) showOverlay('palette')
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [kinds, navigate])
  useEffect(() => {
    // Keys that a user types while the palette loads would be lost.
    const timer = setTimeout(() => void loadPalette().catch(() => undefined), PRELOAD_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <Suspense>
      {overlay === 'palette' && <Palette />}
      {overlay === 'help' && <KeyboardHelp />}
    </Suspense>
  )
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return (
    target.isContentEditable ||
    target.closest('input, textarea, select, dialog, [role=dialog], [role=menu]') !== null
  )
}

/** Focuses the search field of the page, if it has one. */
function focusSearch(): boolean {
  const field = document.querySelector('[data-search]')
  if (!(field instanceof HTMLInputElement)) return false
  field.focus()
  field.select()
  return true
}
