import { Menu } from '@base-ui/react/menu'
import { buttonClass } from '../button-class.ts'
import { Icon, type IconName } from '../icon.tsx'
import css from './menu.module.css'

/** An entry of a menu. */
export interface MenuAction {
  readonly label: string
  readonly icon?: IconName
  readonly onSelect: () => void
  readonly isDangerous?: boolean
  readonly disabled?: boolean
  /** Why the caller may not use the action; null if it may. */
  readonly denied?: string | null
}

interface ActionMenuProps {
  /** Names the button for screen readers. */
  readonly label: string
  readonly icon?: IconName
  /** The visible text of the button. */
  readonly text?: string
  readonly actions: readonly MenuAction[]
}

/** A button that opens a menu of actions. */
export function ActionMenu({ label, icon = 'more', text, actions }: ActionMenuProps) {
  return (
    <Menu.Root>
      <Menu.Trigger
        className={buttonClass({ variant: 'ghost', square: text === undefined })}
        aria-label={label}
      >
        <Icon name={icon} />
        {text}
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className={css['positioner']} align="end" sideOffset={4}>
          <Menu.Popup className={css['popup']}>
            {actions.map((action) => (
              <Menu.Item
                key={action.label}
                className={`${css['item']} ${action.isDangerous ? css['danger'] : ''}`}
                disabled={action.disabled === true || typeof action.denied === 'string'}
                title={action.denied ?? undefined}
                onClick={action.onSelect}
              >
                {action.icon && <Icon name={action.icon} />}
                {action.label}
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
