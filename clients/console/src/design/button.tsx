import type { ComponentProps } from 'react'
import { buttonClass, type ButtonLook } from './button-class.ts'

/** A button. */
export function Button({
  variant,
  size,
  square,
  className,
  ...props
}: ComponentProps<'button'> & ButtonLook) {
  const classes = [buttonClass({ variant, size, square }), className].filter(Boolean).join(' ')
  return <button type="button" {...props} className={classes} />
}
