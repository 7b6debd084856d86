import type { Session } from '../session/session.ts'
import type { Format } from './formats.ts'
import { json } from './json.ts'

/** An object with its label, such as `cluster/lisbon`. */
export interface Labelled {
  readonly label: string
  readonly object: unknown
}

/** Prints the objects that a command has written, for programs. */
export async function printObjects(
  { out }: Pick<Session, 'out'>,
  { name: format }: Format,
  objects: readonly Labelled[],
): Promise<void> {
  const [first] = objects
  if (format === 'name') for (const { label } of objects) out.write(`${label}\n`)
  if ((format !== 'json' && format !== 'yaml') || first === undefined) return
  const list = { kind: 'List', items: objects.map(({ object }) => object) }
  const value = objects.length === 1 ? first.object : list
  if (format === 'json') out.write(json(value))
  else out.write((await import('../diff/to-yaml.ts')).toYaml(value))
}
