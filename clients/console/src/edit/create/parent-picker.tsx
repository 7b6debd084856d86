import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useId, useState } from 'react'
import type { KindDescription } from '../../../../typescript/src/index.ts'
import { apiPath } from '../../../../typescript/src/http/api-path.ts'
import { useDebounced } from '../../design/hooks/use-debounced.ts'
import { TextField } from '../../design/text-field.tsx'
import type { KindResource } from '../../resource/data/kind-resource.ts'
import { client } from '../../session/connection.ts'

interface ParentPickerProps {
  readonly kind: KindDescription
  /** The ID of the chosen parent; empty without one. */
  readonly value: string
  readonly onChange: (id: string) => void
}

type Parent = Pick<KindResource, 'id' | 'name'>

const TYPING_MS = 200
const MAX_SHOWN = 8

/** Chooses the parent of a new resource by its name. */
export function ParentPicker({ kind, value, onChange }: ParentPickerProps) {
  const id = useId()
  const [typed, setTyped] = useState<string | null>(null)
  const chosen = useChosen(kind, value)
  const text = typed ?? chosen?.name ?? value
  const name = text.trim()
  const { found, isCurrent } = useFound(kind, name)
  const match = chosen?.name === name ? chosen : found.find((one) => one.name === name)
  const choose = useEffectEvent((parent: string) => {
    if (typed !== null && parent !== value) onChange(parent)
  })
  const matched = match?.id ?? ''
  useEffect(() => choose(matched), [matched])
  return (
    <>
      <TextField
        label={`${kind.kind} (required)`}
        value={text}
        onChange={setTyped}
        list={id}
        placeholder="A name"
        error={isCurrent && found.length === 0 ? 'No name starts with this.' : null}
        autoComplete="off"
        spellCheck={false}
      />
      <datalist id={id}>
        {found.map((one) => (
          <option key={one.id} value={one.name}>
            {one.name}
          </option>
        ))}
      </datalist>
    </>
  )
}

function useChosen({ plural }: KindDescription, id: string): Parent | undefined {
  const { data } = useQuery({
    queryKey: ['parent', plural, id],
    enabled: id !== '',
    queryFn: ({ signal }) => client.collection<KindResource>(plural).get(id, { signal }),
  })
  return data
}

/** The first live resources whose name starts with a text. */
function useFound({ plural }: KindDescription, text: string) {
  const prefix = useDebounced(text, TYPING_MS)
  const { data = [], isFetching } = useQuery({
    queryKey: ['parents', plural, prefix],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const query = {
        search: searchFor(prefix),
        orderBy: 'name',
        pageSize: MAX_SHOWN,
        fields: 'name',
      }
      const path = apiPath(plural)
      const request = { method: 'GET', path, query, signal, retry: 'always' } as const
      return (await client.request<{ items: readonly Parent[] }>(request)).body.items
    },
  })
  return { found: data, isCurrent: prefix === text && !isFetching }
}

function searchFor(prefix: string): string {
  const live = 'deleted_time is null'
  const pattern = prefix.replaceAll(/[\\%_]/g, String.raw`\$&`).replaceAll("'", "''")
  return prefix === '' ? live : `name like '${pattern}%' and ${live}`
}
