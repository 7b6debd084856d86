import { Toast } from '@base-ui/react/toast'
import type { Tone } from '../tone.ts'

/** The messages of the page. `Toasts` shows them. */
export const toasts = Toast.createToastManager()

interface Notice {
  readonly tone: Tone
  readonly title: string
  readonly description?: string
}

/** Shows a message for a few seconds. Screen readers announce it. */
export function notify({ tone, title, description }: Notice): void {
  toasts.add({
    type: tone,
    title,
    description,
    priority: tone === 'bad' ? 'high' : 'low',
    timeout: tone === 'bad' ? 12_000 : 5000,
  })
}
