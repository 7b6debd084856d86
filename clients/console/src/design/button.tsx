import type { ComponentProps } from 'react'
import { buttonClass, type ButtonLook } from './button-class.ts'

interface ButtonProps extends ComponentProps<'button'>, ButtonLook {
  /** Why the caller may not use the button; null if it may. */
  readonly denied?: string | null
}

/** A button. If it is denied, it keeps the focus order and shows the reason. */
export function Button({ variant, size, square, className, denied = null, ...props }: ButtonProps) {
  const classes = [buttonClass({ variant, size, square }), className].filter(Boolean).join(' ')
  if (denied === null) return <button type="button" {...props} className={classes} />
  const { onClick: _, type: _type, title: _title, ...shown } = props
  return (
    <button
      {...shown}
      type="button"
      className={classes}
      aria-disabled="true"
      data-disabled
      title={denied}
    />
  )
}
