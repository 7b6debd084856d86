import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { kindsQuery } from '../../data/kinds.ts'
import { client } from '../../session/connection.ts'
import { isObject } from '../json/is-object.ts'
import type { JsonSchema } from './json-schema.ts'
import type { SchemaSource } from './schemas-at.ts'

/** The OpenAPI document of the server, which does not change while it runs. */
export const documentQuery = queryOptions({
  queryKey: ['openapi'],
  staleTime: Infinity,
  gcTime: Infinity,
  queryFn: async ({ signal }) => {
    const path = '/openapi/flotilla.json'
    return (await client.request({ method: 'GET', path, signal, retry: 'always' })).body
  },
})

/** The schema of the fields that a create or an edit of a kind can have; undefined while loading. */
export function useSchema(plural: string, fields: readonly string[]): SchemaSource | undefined {
  const { data: document } = useQuery(documentQuery)
  const { data: kinds } = useQuery(kindsQuery)
  const kind = kinds?.find((one) => one.plural === plural)
  const wanted = fields.join(' ')
  return useMemo(() => {
    if (document === undefined || kind === undefined) return undefined
    return { document, schema: formSchema(document, kind.kind, wanted.split(' ')) }
  }, [document, kind, wanted])
}

/** The schema of a create request without the fields that the editor does not show. */
function formSchema(document: unknown, kind: string, fields: readonly string[]): JsonSchema {
  const schemas = at(at(document, 'components'), 'schemas')
  const request = at(schemas, `${kind}CreateRequest`)
  const all = at(request, 'properties')
  const known = fields.filter((field) => at(all, field) !== undefined)
  const properties = Object.fromEntries(
    known.map((field) => [field, { $ref: pointer(kind, field) }]),
  )
  return { type: 'object', properties, required: ['spec'] }
}

function pointer(kind: string, field: string): string {
  return `#/components/schemas/${kind}CreateRequest/properties/${field}`
}

function at(value: unknown, key: string): unknown {
  return isObject(value) ? value[key] : undefined
}
