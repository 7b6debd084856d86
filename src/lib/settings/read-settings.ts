import { errorMessage } from '../error-message.ts'
import type { Setting } from './setting.ts'

type Rows = Readonly<Record<string, Setting<unknown>>>

/** The values of a table of settings. */
export type ValuesOf<T extends Rows> = { readonly [Name in keyof T]: ReturnType<T[Name]['read']> }

interface ReadSettings<T extends Rows> {
  readonly values: ValuesOf<T>
  /** Reads another setting, with the same list of problems. */
  readonly read: <V>(setting: Setting<V>) => V
  /** One line per invalid variable. */
  readonly problems: readonly string[]
}

/** Reads a table of settings from the environment; an empty variable counts as unset. */
export function readSettings<T extends Rows>(rows: T, env: NodeJS.ProcessEnv): ReadSettings<T> {
  const problems: string[] = []
  const read = <V>(setting: Setting<V>): V => {
    const value = env[setting.env] ?? ''
    if (value === '') return setting.default
    try {
      return setting.read(value)
    } catch (error) {
      problems.push(`${setting.env}: ${errorMessage(error)}`)
      return setting.default
    }
  }
  const entries = Object.entries(rows).map(([name, setting]) => [name, read<unknown>(setting)])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each value was read by its own row
  return { values: Object.fromEntries(entries) as ValuesOf<T>, read, problems }
}
