import { errorMessage } from '../error-message.ts'
import { readGroupedValues } from './grouped-values.ts'
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
  const groups = readGroups(Object.values(rows), env, problems)
  const find = ({ env: variable, member, former }: Setting<unknown>) => {
    const current = member === undefined ? env[variable] : groups.get(variable)?.get(member)
    const isFormer = (current ?? '') === '' && former !== undefined
    if (isFormer) return { name: former, value: env[former] ?? '' }
    const name = member === undefined ? variable : `${variable}: ${member}`
    return { name, value: current ?? '' }
  }
  const read = <V>(setting: Setting<V>): V => {
    const { name, value } = find(setting)
    if (value === '') return setting.default
    try {
      return setting.read(value)
    } catch (error) {
      problems.push(`${name}: ${errorMessage(error)}`)
      return setting.default
    }
  }
  const entries = Object.entries(rows).map(([name, setting]) => [name, read<unknown>(setting)])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each value was read by its own row
  return { values: Object.fromEntries(entries) as ValuesOf<T>, read, problems }
}

type Groups = ReadonlyMap<string, ReadonlyMap<string, string>>

/** The texts of the values in variables with several, by variable and name. */
function readGroups(
  settings: readonly Setting<unknown>[],
  env: NodeJS.ProcessEnv,
  problems: string[],
): Groups {
  const members = settings.filter(({ member }) => member !== undefined)
  const variables = [...new Set(members.map((setting) => setting.env))]
  const entries = variables.flatMap((variable) => {
    const text = env[variable] ?? ''
    if (text === '') return []
    try {
      const names = members.flatMap((each) => (each.env === variable ? (each.member ?? []) : []))
      return [[variable, readGroupedValues(text, names)] as const]
    } catch (error) {
      problems.push(`${variable}: ${errorMessage(error)}`)
      return []
    }
  })
  return new Map(entries)
}
