import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import css from './dialog.module.css'

interface DialogProps {
  readonly open: boolean
  /** Called when Escape or a click outside closes the dialog. */
  readonly onClose: () => void
  readonly title: string
  readonly description?: ReactNode
  readonly children?: ReactNode
  /** The buttons, the primary one last. */
  readonly footer?: ReactNode
  readonly wide?: boolean
}

/** A modal dialog. It holds the focus and returns it at the end. */
export function Dialog(props: DialogProps) {
  const { open, onClose, title, description, children, footer, wide = false } = props
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={css['backdrop']} />
        <Base.Popup className={`${css['popup']} ${wide ? css['wide'] : ''}`}>
          <div className={css['head']}>
            <Base.Title className={css['title']}>{title}</Base.Title>
            {description !== undefined && (
              <Base.Description className={css['description']}>{description}</Base.Description>
            )}
          </div>
          <div className={css['body']}>{children}</div>
          {footer !== undefined && <div className={css['foot']}>{footer}</div>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
