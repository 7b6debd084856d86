import css from './button.module.css'

/** How a button looks: primary once per page, danger for what cannot be undone. */
export interface ButtonLook {
  readonly variant?: 'primary' | 'secondary' | 'ghost' | 'danger' | undefined
  readonly size?: 'small' | 'normal' | undefined
  /** For buttons with an icon alone, which need an `aria-label`. */
  readonly square?: boolean | undefined
}

/** The classes of a button, for links that look like one. */
export function buttonClass(look: ButtonLook = {}): string {
  const { variant = 'secondary', size = 'normal', square = false } = look
  return [css['button'], css[variant], size === 'small' && css['small'], square && css['square']]
    .filter(Boolean)
    .join(' ')
}
