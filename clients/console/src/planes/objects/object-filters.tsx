import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { SelectField } from '../../design/select-field.tsx'
import { TextField } from '../../design/text-field.tsx'
import type { PlaneKind } from '../../kube/plane-kind.ts'
import { useDebounced } from '../../design/hooks/use-debounced.ts'
import { namespacesQuery } from '../namespaces-query.ts'
import css from './object-filters.module.css'
import type { ObjectsSearch } from './objects-search.ts'
import { kindParams } from '../plane-address.ts'

interface ObjectFiltersProps {
  readonly plane: string
  readonly kind: PlaneKind
  readonly search: ObjectsSearch
}

/** The filters of a table of objects. Their state is in the address. */
export function ObjectFilters({ plane, kind, search }: ObjectFiltersProps) {
  const navigate = useNavigate()
  const namespaces = useQuery({ ...namespacesQuery(plane), enabled: kind.isNamespaced })
  const [name, setName] = useState(search.name ?? '')
  const [labels, setLabels] = useState(search.labels ?? '')
  const next = useDebounced(JSON.stringify({ name: name.trim(), labels: labels.trim() }), 300)
  const change = (values: ObjectsSearch) =>
    void navigate({
      to: '/planes/$plane/$group/$version/$plural',
      params: kindParams(plane, kind),
      search: { ...search, ...values },
      replace: true,
    })
  useEffect(() => {
    const values: { readonly name: string; readonly labels: string } = JSON.parse(next)
    if (values.name !== (search.name ?? '') || values.labels !== (search.labels ?? '')) {
      change(values)
    }
    // Only a change of the input changes the address.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [next])
  const options = [
    { value: '', label: 'All namespaces' },
    ...(namespaces.data ?? []).map((namespace) => ({ value: namespace, label: namespace })),
  ]
  return (
    <form className={css['filters']} role="search" onSubmit={(event) => event.preventDefault()}>
      <TextField
        label="Name"
        type="search"
        value={name}
        onChange={setName}
        placeholder="A part of the name"
        autoComplete="off"
        data-search
      />
      {kind.isNamespaced && (
        <SelectField
          label="Namespace"
          value={search.namespace ?? ''}
          options={options}
          onChange={(namespace) => change({ namespace })}
        />
      )}
      <TextField
        label="Labels"
        type="search"
        value={labels}
        onChange={setLabels}
        placeholder="tier in (front, back)"
        autoComplete="off"
      />
    </form>
  )
}
