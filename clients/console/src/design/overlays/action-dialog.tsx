import { type ReactNode, useState } from 'react'
import { Button } from '../button.tsx'
import { Dialog } from './dialog.tsx'
import css from './action-dialog.module.css'
import { RequestError } from '../states/request-error.tsx'

interface ActionDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  readonly description?: ReactNode
  readonly children?: ReactNode
  /** The text of the button that acts. */
  readonly action: string
  readonly isDangerous?: boolean
  readonly isDisabled?: boolean
  /** Sends the request. The dialog closes after it, and shows its error. */
  readonly onAct: () => Promise<void>
}

/** A dialog with one action. After an error it stays open with the user's input. */
export function ActionDialog(props: ActionDialogProps) {
  const { isOpen, onClose, title, description } = props
  return (
    <Dialog open={isOpen} onClose={onClose} title={title} description={description}>
      <ActionForm {...props} />
    </Dialog>
  )
}

/** Forgets its error when the dialog closes. */
function ActionForm(props: ActionDialogProps) {
  const { onClose, children, action, onAct, isDangerous = false, isDisabled = false } = props
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const act = async () => {
    setBusy(true)
    setError(null)
    try {
      await onAct()
      onClose()
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      className={css['form']}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy && !isDisabled) void act()
      }}
    >
      {children}
      <RequestError error={error} />
      <div className={css['buttons']}>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          variant={isDangerous ? 'danger' : 'primary'}
          disabled={isBusy || isDisabled}
        >
          {isBusy ? 'Working…' : action}
        </Button>
      </div>
    </form>
  )
}
