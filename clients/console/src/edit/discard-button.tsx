import { useState } from 'react'
import { Button } from '../design/button.tsx'
import { Dialog } from '../design/overlays/dialog.tsx'

interface DiscardButtonProps {
  /** Whether there is input that would be lost. */
  readonly hasInput: boolean
  readonly onDiscard: () => void
}

/** Leaves an editor. Asks first if there is input that would be lost. */
export function DiscardButton({ hasInput, onDiscard }: DiscardButtonProps) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button onClick={() => (hasInput ? setAsking(true) : onDiscard())}>
        {hasInput ? 'Discard' : 'Close'}
      </Button>
      <Dialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title="Discard your input?"
        description="You cannot get it back. To keep it for later, leave the page without discarding."
        footer={
          <>
            <Button onClick={() => setAsking(false)}>Keep editing</Button>
            <Button variant="danger" onClick={onDiscard}>
              Discard input
            </Button>
          </>
        }
      />
    </>
  )
}
