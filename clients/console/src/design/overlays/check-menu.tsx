import { Menu } from '@base-ui/react/menu'
import { buttonClass } from '../button-class.ts'
import { Icon, type IconName } from '../icon.tsx'
import css from './menu.module.css'

interface CheckMenuProps {
  readonly label: string
  readonly icon: IconName
  readonly options: readonly { readonly id: string; readonly label: string }[]
  readonly checked: ReadonlySet<string>
  readonly onToggle: (id: string) => void
}

/** A button that opens a menu of options that can be on or off. */
export function CheckMenu({ label, icon, options, checked, onToggle }: CheckMenuProps) {
  return (
    <Menu.Root>
      <Menu.Trigger
        className={buttonClass({ variant: 'ghost', square: true })}
        aria-label={label}
        title={label}
      >
        <Icon name={icon} />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className={css['positioner']} align="end" sideOffset={4}>
          <Menu.Popup className={css['popup']}>
            {options.map((option) => (
              <Menu.CheckboxItem
                key={option.id}
                className={css['item']}
                checked={checked.has(option.id)}
                onCheckedChange={() => onToggle(option.id)}
              >
                <span className={css['mark']}>
                  {checked.has(option.id) && <Icon name="check" size={14} />}
                </span>
                {option.label}
              </Menu.CheckboxItem>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
