import { isJsonObject, type JsonValue } from '../../../lib/json/json.ts'
import { type MemberPath, shownPath } from '../../../lib/json/member-path.ts'
import type { Report } from './place.ts'
import type { YamlFile } from './yaml-file.ts'

/** What is wrong with a file, as it is found. */
export interface Findings {
  readonly report: Report
  /** Whether the value at the path, or one around it, has been reported. */
  isReported(path: MemberPath): boolean
  /** Every problem in the order of the lines: `<file>:<line>: Channel: plural ...`. */
  lines(file: string, source: YamlFile): readonly string[]
}

interface Finding {
  readonly path: MemberPath
  readonly text: string
}

/** Nothing found yet. */
export function createFindings(): Findings {
  const findings: Finding[] = []
  return {
    report: (path, text) => void findings.push({ path, text }),
    isReported: (path) => findings.some((finding) => isWithin(path, finding.path)),
    lines: (file, source) =>
      findings
        .map(({ path, text }) => ({ line: source.lineOf(path), path, text }))
        .sort((one, other) => one.line - other.line)
        .map(({ line, path, text }) => `${file}:${line}: ${subject(path, source.value)} ${text}`),
  }
}

function isWithin(path: MemberPath, outer: MemberPath): boolean {
  return outer.every((step, place) => path[place] === step)
}

/** What a problem is about: a member of an entity after the name of its kind. */
function subject(path: MemberPath, value: JsonValue): string {
  const [, place, ...member] = path
  if (place === undefined || member.length === 0) return shownPath(path) || 'the file'
  const entities = isJsonObject(value) ? value['entities'] : undefined
  const entity: JsonValue | undefined = Array.isArray(entities)
    ? entities[Number(place)]
    : undefined
  const kind = isJsonObject(entity) ? entity['kind'] : undefined
  return typeof kind === 'string' && kind !== '' && member[0] !== 'kind'
    ? `${kind}: ${shownPath(member)}`
    : shownPath(path)
}
