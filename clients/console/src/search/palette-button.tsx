import { Button } from '../design/button.tsx'
import { Icon } from '../design/icon.tsx'
import { showOverlay } from './overlay-store.ts'
import css from './palette-button.module.css'

/** Opens the palette. It also shows its shortcut. */
export function PaletteButton() {
  return (
    <Button
      variant="ghost"
      size="small"
      className={css['button'] ?? ''}
      aria-keyshortcuts="Control+K Meta+K"
      onClick={() => showOverlay('palette')}
    >
      <Icon name="search" size={14} />
      <span className={css['text']}>Search</span>
      <kbd className={css['key']} aria-hidden="true">
        Ctrl K
      </kbd>
    </Button>
  )
}
