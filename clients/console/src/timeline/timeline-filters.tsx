import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../design/button.tsx'
import { SelectField } from '../design/select-field.tsx'
import { TextField } from '../design/text-field.tsx'
import { readTimelineFilter, OUTCOMES, type TimelineFilter } from './timeline-filter.ts'
import css from './timeline-filters.module.css'

const OUTCOME_OPTIONS = [
  { value: '', label: 'All outcomes' },
  ...OUTCOMES.map((outcome) => ({ value: outcome, label: outcome })),
]

interface TimelineFiltersProps {
  readonly filter: TimelineFilter
}

/** The filters of the timeline of the fleet, which its address contains. Enter applies them. */
export function TimelineFilters({ filter }: TimelineFiltersProps) {
  const navigate = useNavigate()
  const [who, setWho] = useState(filter.who ?? '')
  const [what, setWhat] = useState(filter.what ?? '')
  const [where, setWhere] = useState(filter.where ?? '')
  const address = JSON.stringify(filter)
  const [shown, setShown] = useState(address)
  if (address !== shown) {
    // A link, or the way back in the history of the browser.
    setShown(address)
    setWho(filter.who ?? '')
    setWhat(filter.what ?? '')
    setWhere(filter.where ?? '')
  }
  const show = (outcome: string | undefined) =>
    void navigate({
      to: '/timeline',
      search: readTimelineFilter({ who, what, where, outcome }),
    })
  return (
    <form
      className={css['filters']}
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        show(filter.outcome)
      }}
    >
      <TextField
        label="Who"
        type="search"
        value={who}
        onChange={setWho}
        placeholder="The beginning of a user"
        autoComplete="off"
        data-search
      />
      <TextField
        label="What"
        type="search"
        value={what}
        onChange={setWhat}
        placeholder="Name, ID, plural or verb"
        autoComplete="off"
      />
      <TextField
        label="Where"
        type="search"
        value={where}
        onChange={setWhere}
        placeholder="Plane, namespace or address"
        autoComplete="off"
      />
      <SelectField
        label="Outcome"
        value={filter.outcome ?? ''}
        options={OUTCOME_OPTIONS}
        onChange={show}
      />
      <Button type="submit" className={css['submit']}>
        Show
      </Button>
    </form>
  )
}
