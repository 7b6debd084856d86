import { type RefObject, useId, useRef } from 'react'
import type { KindDescription } from '../../../../typescript/src/generated/hyperfleet.ts'
import { Icon } from '../../design/icon.tsx'
import { HighlightedSearch } from './highlighted-search.tsx'
import css from './search-field.module.css'
import { SearchOptionList } from './search-option-list.tsx'
import type { SearchProblem } from './search-problem.ts'
import { useSearchDraft } from './use-search-draft.ts'

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
export function SearchField({ label, problem, ...props }: SearchFieldProps) {
  const { search, onSearch, inputRef } = props
  const id = useId()
  const mirror = useRef<HTMLDivElement>(null)
  const draft = useSearchDraft(props)
  const { text, options, chosen, isListOpen } = draft
  const shownProblem = text.trim() === search ? problem : null
  const clear = () => {
    draft.write('', 0)
    onSearch('')
    inputRef.current?.focus()
  }
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
            data-search
            role="combobox"
            aria-label={label}
            aria-expanded={isListOpen}
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={chosen >= 0 && isListOpen ? `${id}-${chosen}` : undefined}
            aria-invalid={shownProblem !== null}
            aria-describedby={`${id}-problem`}
            placeholder="A part of a name, or labels.environment = 'production'"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            value={text}
            onChange={({ target }) => {
              draft.setOpen(true)
              draft.write(target.value, target.selectionStart ?? target.value.length)
            }}
            onSelect={({ currentTarget }) => {
              draft.moveCursor(currentTarget.selectionStart ?? text.length)
            }}
            onScroll={({ currentTarget }) => {
              if (mirror.current) mirror.current.scrollLeft = currentTarget.scrollLeft
            }}
            onFocus={() => draft.setOpen(true)}
            onBlur={() => draft.setOpen(false)}
            onKeyDown={draft.onKeyDown}
          />
        </div>
        {text === '' && <kbd className={css['key']}>/</kbd>}
        {text !== '' && (
          <button
            type="button"
            className={css['clear']}
            aria-label="Clear the search"
            onClick={clear}
          >
            <Icon name="cross" size={14} />
          </button>
        )}
      </div>
      <SearchOptionList
        id={id}
        isOpen={isListOpen}
        options={options}
        chosen={chosen}
        onChoose={draft.insert}
      />
      <div id={`${id}-problem`} className={css['problem']} role="status">
        {shownProblem?.message}
      </div>
    </div>
  )
}
