import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'
import type { KindDescription } from '../../../../typescript/src/generated/hyperfleet.ts'
import { Icon } from '../../design/icon.tsx'
import { HighlightedSearch } from './highlighted-search.tsx'
import css from './search-field.module.css'
import { isComplete, searchPlace } from './search-place.ts'
import type { SearchOption } from './search-option.ts'
import { searchOptions } from './search-options.ts'
import type { SearchProblem } from './search-problem.ts'
import { useVocabulary } from './use-vocabulary.ts'

/** Pauses in typing after which a finished search is sent. */
const PAUSE_MS = 350

interface SearchFieldProps {
  /** Names the field for screen readers. */
  readonly label: string
  readonly kind: KindDescription | undefined
  /** The search of the shown list. */
  readonly search: string
  /** The server's problem with that search. */
  readonly problem: SearchProblem | null
  readonly onSearch: (search: string) => void
  readonly inputRef: RefObject<HTMLInputElement | null>
}

/** The search field of a list: colours, completion, and the server's error at its position. */
export function SearchField(props: SearchFieldProps) {
  const { label, kind, search, problem, onSearch, inputRef } = props
  const id = useId()
  const mirror = useRef<HTMLDivElement>(null)
  const [draft, setDraft] = useState({ text: search, cursor: search.length, applied: search })
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState(-1)
  // Another search came from outside, such as the browser's back button.
  if (draft.applied !== search) setDraft({ text: search, cursor: search.length, applied: search })
  const { text, cursor } = draft
  const place = searchPlace(text, cursor)
  const options = searchOptions(place, useVocabulary(kind, place, isOpen))
  const isListOpen = isOpen && options.length > 0
  useEffect(() => {
    if (text.trim() === search || !isComplete(text)) return
    const timer = setTimeout(() => onSearch(text.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text, search, onSearch])
  const write = (next: string, at: number) => {
    setDraft({ text: next, cursor: at, applied: search })
    setChosen(-1)
  }
  const insert = ({ insert: words }: SearchOption) => {
    const at = place.from + words.length
    write(text.slice(0, place.from) + words + text.slice(place.to).trimStart(), at)
    requestAnimationFrame(() => inputRef.current?.setSelectionRange(at, at))
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const option = options[chosen]
    if (event.key === 'ArrowDown' && isListOpen) setChosen((chosen + 1) % options.length)
    else if (event.key === 'ArrowUp' && isListOpen) setChosen(Math.max(-1, chosen - 1))
    else if (event.key === 'Tab' && isListOpen && !event.shiftKey && place.prefix !== '') {
      insert(option ?? options[0] ?? { label: '', insert: place.prefix })
    } else if (event.key === 'Enter') {
      if (isListOpen && option !== undefined) insert(option)
      else {
        setOpen(false)
        onSearch(text.trim())
      }
    } else if (event.key === 'Escape') {
      if (isListOpen) setOpen(false)
      else event.currentTarget.blur()
    } else if (event.key === ' ' && event.ctrlKey) setOpen(true)
    else return
    event.preventDefault()
  }
  const shownProblem = text.trim() === search ? problem : null
  return (
    <div className={css['field']}>
      <div className={css['box']} data-wrong={shownProblem !== null || undefined}>
        <Icon name="search" />
        <div className={css['text']}>
          <div ref={mirror} className={css['mirror']} aria-hidden="true">
            <HighlightedSearch search={text} problem={shownProblem} />
          </div>
          <input
            ref={inputRef}
            className={css['input']}
            type="text"
            role="combobox"
            aria-label={label}
            aria-expanded={isListOpen}
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={chosen >= 0 && isListOpen ? `${id}-${chosen}` : undefined}
            aria-invalid={shownProblem !== null}
            aria-describedby={`${id}-problem`}
            placeholder="Search: labels.environment = 'production'"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            value={text}
            onChange={(event) => {
              setOpen(true)
              write(event.target.value, event.target.selectionStart ?? event.target.value.length)
            }}
            onSelect={(event) => {
              const at = event.currentTarget.selectionStart ?? text.length
              if (at !== cursor) setDraft({ ...draft, cursor: at })
            }}
            onScroll={(event) => {
              if (mirror.current) mirror.current.scrollLeft = event.currentTarget.scrollLeft
            }}
            onFocus={() => setOpen(true)}
            onBlur={() => setOpen(false)}
            onKeyDown={onKeyDown}
          />
        </div>
        {text === '' ? (
          <kbd className={css['key']}>/</kbd>
        ) : (
          <button
            type="button"
            className={css['clear']}
            aria-label="Clear the search"
            onClick={() => {
              write('', 0)
              onSearch('')
              inputRef.current?.focus()
            }}
          >
            <Icon name="cross" size={14} />
          </button>
        )}
      </div>
      <OptionList id={id} isOpen={isListOpen} options={options} chosen={chosen} onChoose={insert} />
      <div id={`${id}-problem`} className={css['problem']} role="status">
        {shownProblem?.message}
      </div>
    </div>
  )
}

interface OptionListProps {
  readonly id: string
  readonly isOpen: boolean
  readonly options: readonly SearchOption[]
  readonly chosen: number
  readonly onChoose: (option: SearchOption) => void
}

function OptionList({ id, isOpen, options, chosen, onChoose }: OptionListProps) {
  return (
    <ul
      id={`${id}-list`}
      role="listbox"
      aria-label="Completions"
      className={css['list']}
      hidden={!isOpen}
    >
      {isOpen &&
        options.map((option, index) => (
          // The input handles the keys of the list.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
          <li
            key={option.label}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === chosen}
            className={css['option']}
            onMouseDown={(event) => {
              event.preventDefault()
              onChoose(option)
            }}
          >
            <span>{option.label}</span>
            {option.detail !== undefined && <span className={css['detail']}>{option.detail}</span>}
          </li>
        ))}
    </ul>
  )
}
