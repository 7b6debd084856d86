import { useCallback, useState } from 'react'
import { storedWidths, storeWidths } from '../list-preferences.ts'

/** The widths of columns that the user has chosen, in pixels. */
export type ColumnWidths = Readonly<Record<string, number>>

const LEAST = 48

/** The chosen widths of a kind, kept on this device, and a function that changes one. */
export function useColumnWidths(plural: string) {
  const [chosen, setChosen] = useState({ plural, widths: storedWidths(plural) })
  if (chosen.plural !== plural) setChosen({ plural, widths: storedWidths(plural) })
  const resize = useCallback(
    (id: string, width: number | null) =>
      setChosen((last) => {
        const { [id]: _, ...others } = last.widths
        const widths = width === null ? others : { ...others, [id]: Math.max(LEAST, width) }
        storeWidths(last.plural, widths)
        return { ...last, widths }
      }),
    [],
  )
  return { widths: chosen.widths, resize }
}
