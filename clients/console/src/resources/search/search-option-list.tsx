import css from './search-field.module.css'
import type { SearchOption } from './search-option.ts'

interface SearchOptionListProps {
  /** The ID of the search field. */
  readonly id: string
  readonly isOpen: boolean
  readonly options: readonly SearchOption[]
  readonly chosen: number
  readonly onChoose: (option: SearchOption) => void
}

/** The completions below the search field, which handles their keys. */
export function SearchOptionList(props: SearchOptionListProps) {
  const { id, isOpen, options, chosen, onChoose } = props
  return (
    <div
      id={`${id}-list`}
      role="listbox"
      aria-label="Completions"
      className={css['list']}
      hidden={!isOpen}
    >
      {options.map((option, index) => (
        <div
          key={option.label}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === chosen}
          className={css['option']}
          onMouseDown={(event) => {
            // The input keeps the focus.
            event.preventDefault()
            onChoose(option)
          }}
        >
          <span>{option.label}</span>
          {option.detail !== undefined && <span className={css['detail']}>{option.detail}</span>}
        </div>
      ))}
    </div>
  )
}
