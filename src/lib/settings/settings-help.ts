import type { Setting } from './setting.ts'
import { settingVariables } from './setting-variables.ts'

/** The help of a program whose settings are environment variables: `summary`, then the settings. */
export function settingsHelp(summary: string, settings: readonly Setting<unknown>[]): string {
  const lines = settingVariables(settings).map((variable) => {
    const docs = variable.docs.map((doc) => `      ${doc}\n`).join('')
    return `  ${variable.env}\n${docs}      ${variable.type}; default ${variable.default ?? 'none'}\n`
  })
  return `${summary} The settings are environment variables:\n\n${lines.join('')}`
}
