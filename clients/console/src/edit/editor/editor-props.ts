import type { FocusHandover } from './focus-handover.ts'
import type { SchemaSource } from '../schema/schemas-at.ts'
import type { YamlProblem } from '../yaml/parse-yaml.ts'

/** The properties of the rich and the plain editor. */
export interface EditorProps {
  /** The name of the editor for screen readers. */
  readonly label: string
  readonly value: string
  readonly onChange?: ((text: string) => void) | undefined
  /** Called for Ctrl-S or Cmd-S. */
  readonly onSave?: (() => void) | undefined
  readonly isReadOnly?: boolean | undefined
  readonly problems: readonly YamlProblem[]
  readonly handover: FocusHandover
  /** Completes and explains the fields. */
  readonly schema?: SchemaSource | undefined
}
