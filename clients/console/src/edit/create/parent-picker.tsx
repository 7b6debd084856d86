import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { KindDescription } from '../../../../typescript/src/index.ts'
import { apiPath } from '../../../../typescript/src/http/api-path.ts'
import { Button } from '../../design/button.tsx'
import { TextField } from '../../design/text-field.tsx'
import type { KindResource } from '../../resource/data/kind-resource.ts'
import { client } from '../../session/connection.ts'
import css from '../form/form.module.css'
import { useDebounced } from '../../design/hooks/use-debounced.ts'

interface ParentPickerProps {
  readonly kind: KindDescription
  /** The ID of the chosen parent; empty without one. */
  readonly value: string
  readonly onChange: (id: string) => void
}

const TYPING_MS = 200
const MAX_SHOWN = 8

/** Chooses the parent of a new resource by its name. */
export function ParentPicker({ kind, value, onChange }: ParentPickerProps) {
  const { data: chosen } = useQuery({
    queryKey: ['parent', kind.plural, value],
    enabled: value !== '',
    queryFn: ({ signal }) => client.collection<KindResource>(kind.plural).get(value, { signal }),
  })
  if (value === '') return <ParentSearch kind={kind} onChange={onChange} />
  return (
    <div className={css['field']}>
      <span>{kind.kind}</span>
      <div className={css['check']}>
        <strong>{chosen?.name ?? value}</strong>
        <Button size="small" onClick={() => onChange('')}>
          Change
        </Button>
      </div>
    </div>
  )
}

function ParentSearch({ kind, onChange }: Omit<ParentPickerProps, 'value'>) {
  const [typed, setTyped] = useState('')
  const id = useId()
  const prefix = useDebounced(typed.trim(), TYPING_MS)
  const { data: found = [] } = useQuery({
    queryKey: ['parents', kind.plural, prefix],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const query = {
        search: searchFor(prefix),
        orderBy: 'name',
        pageSize: MAX_SHOWN,
        fields: 'name',
      }
      const path = apiPath(kind.plural)
      const request = { method: 'GET', path, query, signal, retry: 'always' } as const
      return (await client.request<{ items: readonly { id: string; name: string }[] }>(request))
        .body.items
    },
  })
  return (
    <div className={css['field']}>
      <TextField
        label={`${kind.kind} (required)`}
        value={typed}
        onChange={setTyped}
        hint={found.length === 0 ? 'No name starts with this.' : 'Type a name, then choose:'}
        autoComplete="off"
        spellCheck={false}
      />
      <ul className={css['choices']} aria-label={`${kind.kind} to choose`} id={id}>
        {found.map((one) => (
          <li key={one.id}>
            <Button size="small" onClick={() => onChange(one.id)}>
              {one.name}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Live resources whose name starts with a text. */
function searchFor(prefix: string): string {
  const live = 'deleted_time is null'
  const pattern = prefix.replaceAll(/[\\%_]/g, String.raw`\$&`).replaceAll("'", "''")
  return prefix === '' ? live : `name like '${pattern}%' and ${live}`
}
