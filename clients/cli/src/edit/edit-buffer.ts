import { toYaml } from '../diff/to-yaml.ts'
import type { JsonObject } from '../documents/json-object.ts'

/** The text of an edit: comments with notes for the user, then the object as YAML. */
export function editBuffer(content: JsonObject, notes: readonly string[]): string {
  return withNotes(toYaml(content), notes)
}

/** Replaces the notes at the beginning of a text. The comments of the user stay. */
export function withNotes(text: string, notes: readonly string[]): string {
  const lines = notes.flatMap((note) => note.split('\n')).map((line) => `${MARK} ${line}`.trimEnd())
  return `${lines.join('\n')}\n${withoutNotes(text)}`
}

/** The text without the notes. */
export function withoutNotes(text: string): string {
  return text
    .split('\n')
    .filter((line) => !line.startsWith(MARK))
    .join('\n')
}

/** Distinguishes notes from the comments of the user. */
const MARK = '#:'
