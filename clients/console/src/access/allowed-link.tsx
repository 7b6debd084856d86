import type { ReactNode } from 'react'
import { Button } from '../design/button.tsx'
import type { ButtonLook } from '../design/button-class.ts'

interface AllowedLinkProps {
  /** Why the caller may not follow the link; null if it may. */
  readonly denied: string | null
  readonly look?: ButtonLook
  /** The content of the disabled button. */
  readonly label: ReactNode
  readonly children: ReactNode
}

/** A link, or a disabled button with the reason. */
export function AllowedLink({ denied, look, label, children }: AllowedLinkProps) {
  if (denied === null) return children
  return (
    <Button {...look} denied={denied}>
      {label}
    </Button>
  )
}
