import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { KindDescription } from '../../../../typescript/src/generated/hyperfleet.ts'
import { pluralLabel } from '../../app/nav-items.ts'
import { client } from '../../session/connection.ts'
import { labelField } from '../../resources/search/search-option.ts'
import css from './breakdown.module.css'

const LABELS = 100
const STALE_MS = 60_000

/** The choice of a label or a declared field of the spec by which a breakdown groups. */
export function GroupPicker({ kind }: { readonly kind: KindDescription }) {
  const { plural, indexed_fields: fields } = kind
  const navigate = useNavigate()
  const { by = {} } = useSearch({ from: '/' })
  const { data: keys = [] } = useQuery({
    queryKey: ['label-keys', kind.kind, LABELS],
    staleTime: STALE_MS,
    queryFn: async ({ signal }) =>
      (await client.labelKeys({ kind: kind.kind, limit: LABELS, signal })).items,
  })
  const chosen = by[plural] ?? ''
  const labels = keys.map(labelField)
  const isKnown = chosen === '' || labels.includes(chosen) || fields.includes(chosen)
  const choose = (field: string) => {
    const { [plural]: _, ...others } = by
    const next = field === '' ? others : { ...others, [plural]: field }
    const search = Object.keys(next).length === 0 ? {} : { by: next }
    void navigate({ to: '/', search, replace: true, resetScroll: false })
  }
  return (
    <label className={css['picker']}>
      Group by
      <select
        aria-label={`Group ${pluralLabel(kind.kind, plural).toLowerCase()} by`}
        value={chosen}
        onChange={(event) => choose(event.target.value)}
      >
        <option value="">adapter and reason</option>
        {!isKnown && <Options label="In the address" fields={[chosen]} />}
        <Options label="Labels" fields={labels} />
        <Options label="Fields of the spec" fields={fields} />
      </select>
    </label>
  )
}

interface OptionsProps {
  readonly label: string
  readonly fields: readonly string[]
}

function Options({ label, fields }: OptionsProps) {
  if (fields.length === 0) return null
  return (
    <optgroup label={label}>
      {fields.map((field) => (
        <option key={field} value={field}>
          {field}
        </option>
      ))}
    </optgroup>
  )
}
