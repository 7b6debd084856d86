import { must } from '../assert.ts'
import { type Setting, shownDefault } from './setting.ts'

/** An environment variable, as the documentation shows it. */
export interface SettingVariable {
  readonly env: string
  readonly type: string
  /** Null if there is none. */
  readonly default: string | null
  /** One line, or a line for each of its values. */
  readonly docs: readonly string[]
}

/** The variables of settings that are not retired. Settings with the same variable are its values. */
export function settingVariables(rows: readonly Setting<unknown>[]): readonly SettingVariable[] {
  const settings = rows.filter(({ retired }) => retired !== true)
  const names = [...new Set(settings.map(({ env }) => env))]
  return names.map((env) => {
    const values = settings.filter((setting) => setting.env === env)
    const first = must(values[0], env)
    if (first.member === undefined) return variableOf(first)
    return { env, type: 'name=value,...', default: groupDefault(values), docs: values.map(docOf) }
  })
}

function variableOf(setting: Setting<unknown>): SettingVariable {
  const { env, type } = setting
  return { env, type, default: shownDefault(setting), docs: [textOf(setting)] }
}

function groupDefault(settings: readonly Setting<unknown>[]): string | null {
  const values = settings.flatMap((setting) => {
    const value = shownDefault(setting)
    return value === null ? [] : [`${setting.member}=${value}`]
  })
  return values.length === 0 ? null : values.join(',')
}

function docOf(setting: Setting<unknown>): string {
  return `\`${setting.member}\` (${setting.type}): ${textOf(setting)}`
}

function textOf({ doc, reloadable }: Setting<unknown>): string {
  return reloadable === true ? `${doc} Reloadable.` : doc
}
