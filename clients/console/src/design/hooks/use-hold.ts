import { type FocusEvent, useMemo, useState } from 'react'

/** Whether the user is in an element, and the handlers of the element that find out. */
export interface Hold {
  readonly isHeld: boolean
  readonly handlers: {
    readonly onPointerEnter: () => void
    readonly onPointerLeave: () => void
    readonly onFocus: () => void
    readonly onBlur: (event: FocusEvent) => void
  }
}

/** A hold while the pointer is over an element, or the focus is in it. */
export function useHold(): Hold {
  const [isPointed, setPointed] = useState(false)
  const [isFocused, setFocused] = useState(false)
  const handlers = useMemo(
    () => ({
      onPointerEnter: () => setPointed(true),
      onPointerLeave: () => setPointed(false),
      onFocus: () => setFocused(true),
      // A window that loses the focus keeps its active element.
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) =>
        setFocused(currentTarget.contains(relatedTarget ?? document.activeElement)),
    }),
    [],
  )
  return { isHeld: isPointed || isFocused, handlers }
}

/** The latest value, or during a hold the last one before it: rows under a user must not move. */
export function useHeld<T>(latest: T, isHeld: boolean): T {
  const [kept, setKept] = useState(latest)
  const shown = isHeld && kept !== undefined ? kept : latest
  if (shown !== kept) setKept(shown)
  return shown
}
