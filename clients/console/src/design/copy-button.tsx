import { useState } from 'react'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import { notify } from './overlays/notify.ts'

const SHOWN_MS = 1500

/** Copies a text to the clipboard. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [copied, setCopied] = useState(false)
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => {
        setCopied(true)
        setTimeout(() => setCopied(false), SHOWN_MS)
      },
      () => notify({ tone: 'bad', title: 'The browser did not allow the copy' }),
    )
  }
  return (
    <Button variant="ghost" size="small" square aria-label={label} title={label} onClick={copy}>
      <Icon name={copied ? 'check' : 'copy'} size={14} />
    </Button>
  )
}
