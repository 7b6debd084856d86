import type { Kind } from '../../store/registry/kind.ts'
import { kindProblems } from '../../store/registry/kind-problems.ts'
import { KindsFileError } from './kinds-file-error.ts'
import { type Entity, readEntity } from './entity.ts'
import { createProblemList, type ProblemList } from './problem-list.ts'
import { kindOfEntity } from './kind-of-entity.ts'
import { pathInFile } from './path-in-file.ts'
import { itemsOf, membersOf, type FileValue } from './file-value.ts'
import { readSpecSchema } from './spec-schema.ts'
import { readYamlFile } from './yaml-file.ts'

/** A kind and its value in the file; null if the file does not contain it. */
interface Row {
  readonly kind: Kind
  readonly source: FileValue | null
}

/**
 * The kinds of a server with a configuration file: first the built-in kinds, as the file redefines
 * them, then the file's kinds in order. Throws a KindsFileError that lists every problem of the file.
 */
export async function loadKindsFile(
  file: string,
  builtIn: readonly Kind[],
): Promise<readonly Kind[]> {
  const yaml = await readYamlFile(file)
  const problemList = createProblemList()
  const entities = entitiesOf({ value: yaml.value, path: [], report: problemList.report })
  const declared = await Promise.all(entities.map((entity) => rowsOf(entity, { file, builtIn })))
  const rows = merge(builtIn, declared.flat())
  reportKindProblems(rows, problemList)
  const problems = problemList.lines(file, yaml)
  if (problems.length > 0) throw new KindsFileError(problems)
  return rows.map(({ kind }) => kind)
}

function entitiesOf(root: FileValue): readonly Entity[] {
  const member = membersOf(root, ['entities'], ['entities'])
  return (itemsOf(member('entities')) ?? []).map(readEntity)
}

interface Surroundings {
  readonly file: string
  readonly builtIn: readonly Kind[]
}

/** Empty for an entity without a kind, which has been reported. */
async function rowsOf(entity: Entity, { file, builtIn }: Surroundings): Promise<readonly Row[]> {
  const { kind, source, specSchema } = entity
  if (kind === undefined) return []
  const spec = specSchema && (await readSpecSchema(kind, specSchema, file))
  const base = builtIn.find((candidate) => candidate.kind === kind)
  return [{ kind: kindOfEntity({ entity: { ...entity, kind }, builtIn: base, spec }), source }]
}

/** Built-in kinds keep their order; a kind that is redefined twice appears twice. */
function merge(builtIn: readonly Kind[], declared: readonly Row[]): readonly Row[] {
  const first = builtIn.map((kind): Row => {
    return declared.find((row) => row.kind.kind === kind.kind) ?? { kind, source: null }
  })
  return [...first, ...declared.filter((row) => !first.includes(row))]
}

/** Skips problems of placeholder values, whose fields have been reported as unusable. */
function reportKindProblems(rows: readonly Row[], problemList: ProblemList): void {
  for (const { index, member, text } of kindProblems(rows.map(({ kind }) => kind))) {
    const source = rows[index]?.source
    if (!source) continue
    const path = [...source.path, ...pathInFile(member)]
    if (!problemList.isReported(path)) problemList.report(path, text)
  }
}
