import { isJsonObject, type JsonValue } from '../../lib/json/json.ts'
import { type FieldPath, formatPath } from '../../lib/json/field-path.ts'
import type { Report } from './file-value.ts'
import type { YamlFile } from './yaml-file.ts'

/** The problems of a file, collected while it is read. */
export interface ProblemList {
  readonly report: Report
  /** Whether a problem was reported at the path or at one of its parents. */
  isReported(path: FieldPath): boolean
  /** Every problem in the order of the lines: `<file>:<line>: Channel: plural ...`. */
  lines(file: string, source: YamlFile): readonly string[]
}

interface Problem {
  readonly path: FieldPath
  readonly text: string
}

/** An empty list. */
export function createProblemList(): ProblemList {
  const problems: Problem[] = []
  return {
    report: (path, text) => void problems.push({ path, text }),
    isReported: (path) => problems.some((problem) => isWithin(path, problem.path)),
    lines: (file, source) =>
      problems
        .map(({ path, text }) => ({ line: source.lineOf(path), path, text }))
        .sort((one, other) => one.line - other.line)
        .map(({ line, path, text }) => `${file}:${line}: ${subject(path, source.value)} ${text}`),
  }
}

function isWithin(path: FieldPath, outer: FieldPath): boolean {
  return outer.every((step, index) => path[index] === step)
}

/** The subject of a problem: the kind's name and the field. */
function subject(path: FieldPath, value: JsonValue): string {
  const [, index, ...member] = path
  if (index === undefined || member.length === 0) return formatPath(path) || 'the file'
  const entities = isJsonObject(value) ? value['entities'] : undefined
  const entity: JsonValue | undefined = Array.isArray(entities)
    ? entities[Number(index)]
    : undefined
  const kind = isJsonObject(entity) ? entity['kind'] : undefined
  return typeof kind === 'string' && kind !== '' && member[0] !== 'kind'
    ? `${kind}: ${formatPath(member)}`
    : formatPath(path)
}
