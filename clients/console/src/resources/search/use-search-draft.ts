import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { KindDescription } from '../../../../typescript/src/generated/hyperfleet.ts'
import type { SearchOption } from './search-option.ts'
import { searchOptions } from './search-options.ts'
import { isComplete, searchPlace } from './search-place.ts'
import { wordsToSearch } from './words-to-search.ts'
import { useVocabulary } from './use-vocabulary.ts'

/** Pauses in typing after which a finished search is sent. */
const PAUSE_MS = 350

interface DraftOptions {
  readonly kind: KindDescription | undefined
  /** The search of the shown list. */
  readonly search: string
  readonly onSearch: (search: string) => void
  readonly inputRef: RefObject<HTMLInputElement | null>
}

/** The text that the user writes, its completions, and the keys of the search field. */
export function useSearchDraft({ kind, search, onSearch, inputRef }: DraftOptions) {
  const [draft, setDraft] = useState({ text: search, cursor: search.length, applied: search })
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState(-1)
  const pending = useRef<number | null>(null)
  // Another search came from outside, such as the browser's back button.
  if (draft.applied !== search) {
    const text = draft.text.trim() === search ? draft.text : search
    setDraft({ text, cursor: Math.min(draft.cursor, text.length), applied: search })
  }
  const { text, cursor } = draft
  const place = searchPlace(text, cursor)
  const options = searchOptions(place, useVocabulary(kind, place, isOpen))
  const isListOpen = isOpen && options.length > 0
  useEffect(() => {
    if (text.trim() === search || !isComplete(text)) return
    const timer = setTimeout(() => onSearch(text.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text, search, onSearch])
  // Before the next key: a later moment would move the cursor of a fast writer.
  useLayoutEffect(() => {
    const at = pending.current
    pending.current = null
    if (at !== null) inputRef.current?.setSelectionRange(at, at)
  })
  const write = (next: string, at: number) => {
    setDraft({ text: next, cursor: at, applied: search })
    setChosen(-1)
  }
  const insert = ({ insert: words }: SearchOption) => {
    const at = place.from + words.length
    write(text.slice(0, place.from) + words + text.slice(place.to).trimStart(), at)
    pending.current = at
  }
  const send = () => {
    setOpen(false)
    onSearch(wordsToSearch(text))
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    const option = options[chosen] ?? (event.key === 'Tab' ? options[0] : undefined)
    const canTab = event.key === 'Tab' && !event.shiftKey && place.prefix !== ''
    if (isListOpen && event.key === 'ArrowDown') setChosen((chosen + 1) % options.length)
    else if (isListOpen && event.key === 'ArrowUp') setChosen(Math.max(-1, chosen - 1))
    else if (isListOpen && option !== undefined && (canTab || event.key === 'Enter')) insert(option)
    else if (event.key === 'Enter') send()
    else if (event.key === 'Escape' && isListOpen) setOpen(false)
    else if (event.key === 'Escape') event.currentTarget.blur()
    else if (event.key === ' ' && event.ctrlKey) setOpen(true)
    else return
    event.preventDefault()
  }
  const moveCursor = (at: number) => {
    if (at !== cursor) setDraft({ ...draft, cursor: at })
  }
  return { text, options, chosen, isListOpen, setOpen, write, insert, onKeyDown, moveCursor }
}
