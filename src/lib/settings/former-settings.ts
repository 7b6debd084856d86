import type { Setting } from './setting.ts'

/** A line for each variable of the last version that is set, with its replacement. */
export function formerWarnings(
  settings: readonly Setting<unknown>[],
  env: NodeJS.ProcessEnv,
): readonly string[] {
  return settings.flatMap((setting) => {
    const name = setting.retired === true ? setting.env : setting.former
    if (name === undefined || (env[name] ?? '') === '') return []
    return [`${name} is retired, and the next version ignores it: ${replacementOf(setting)}`]
  })
}

function replacementOf({ retired, doc, env, member }: Setting<unknown>): string {
  if (retired === true) return `without it, ${doc}`
  return member === undefined ? `set ${env}` : `set ${member}=... in ${env}`
}

/** The names that settings had in the last version. */
export function formerNames(settings: readonly Setting<unknown>[]): readonly string[] {
  return settings.flatMap(({ retired, env, former = [] }) => (retired === true ? env : former))
}
