import type { Request } from 'express'
import { invalid } from '../../lib/errors.ts'
import type { RegisteredKind } from '../../store/registry/kind.ts'
import type { Registry } from '../../store/registry/registry.ts'
import { unknownKind } from '../../store/registry/unknown-kind.ts'
import { listableKinds } from '../../store/registry/verb.ts'

/** The kind that the parameter `kind` of a validated request names; null for all kinds. */
export function kindParameter({ query }: Request, registry: Registry): RegisteredKind | null {
  const { kind: name } = query
  if (typeof name !== 'string') return null
  const problem = unknownKind(name, listableKinds(registry))
  if (problem === null) return registry.byName(name)
  throw invalid([{ field: 'kind', message: problem, constraint: 'kind', value: name }])
}
