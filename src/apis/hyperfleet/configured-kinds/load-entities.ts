import type { Kind } from '../../../core/registry/kind.ts'
import { kindProblems } from '../../../core/registry/kind-problems.ts'
import { EntitiesError } from './entities-error.ts'
import { type Entity, readEntity } from './entity.ts'
import { createFindings, type Findings } from './findings.ts'
import { kindOfEntity } from './kind-of-entity.ts'
import { pathInFile } from './path-in-file.ts'
import { itemsOf, membersOf, type Place } from './place.ts'
import { readSpecSchema } from './spec-schema.ts'
import { readYamlFile } from './yaml-file.ts'

/** A kind, and where the file has it; null where the file does not name it. */
interface Row {
  readonly kind: Kind
  readonly place: Place | null
}

/**
 * The kinds of a server with a configuration file: the built-in ones, as the file redefines them,
 * then its own in their order. Throws an EntitiesError that lists every problem of the file.
 */
export async function loadEntities(
  file: string,
  builtIn: readonly Kind[],
): Promise<readonly Kind[]> {
  const source = await readYamlFile(file)
  const findings = createFindings()
  const entities = entitiesOf({ value: source.value, path: [], report: findings.report })
  const declared = await Promise.all(entities.map((entity) => rowsOf(entity, { file, builtIn })))
  const rows = merge(builtIn, declared.flat())
  reportKindProblems(rows, findings)
  const problems = findings.lines(file, source)
  if (problems.length > 0) throw new EntitiesError(problems)
  return rows.map(({ kind }) => kind)
}

function entitiesOf(root: Place): readonly Entity[] {
  const member = membersOf(root, ['entities'], ['entities'])
  return (itemsOf(member('entities')) ?? []).map(readEntity)
}

interface Surroundings {
  readonly file: string
  readonly builtIn: readonly Kind[]
}

/** None for an entity that does not say its kind, which has been reported. */
async function rowsOf(entity: Entity, { file, builtIn }: Surroundings): Promise<readonly Row[]> {
  const { kind, place, specSchema } = entity
  if (kind === undefined) return []
  const spec = specSchema && (await readSpecSchema(kind, specSchema, file))
  const base = builtIn.find((candidate) => candidate.kind === kind)
  return [{ kind: kindOfEntity({ entity: { ...entity, kind }, builtIn: base, spec }), place }]
}

/** A built-in kind keeps its place in the order; one that is redefined twice appears twice. */
function merge(builtIn: readonly Kind[], declared: readonly Row[]): readonly Row[] {
  const first = builtIn.map((kind): Row => {
    return declared.find((row) => row.kind.kind === kind.kind) ?? { kind, place: null }
  })
  return [...first, ...declared.filter((row) => !first.includes(row))]
}

/** What has been reported as unusable stands in the kind as some value: it is not reported again. */
function reportKindProblems(rows: readonly Row[], findings: Findings): void {
  for (const { index, member, text } of kindProblems(rows.map(({ kind }) => kind))) {
    const place = rows[index]?.place
    if (!place) continue
    const path = [...place.path, ...pathInFile(member)]
    if (!findings.isReported(path)) findings.report(path, text)
  }
}
