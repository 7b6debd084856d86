import { type Setting, shownDefault } from './setting.ts'

/** The help of a program whose settings are environment variables: `summary`, then the settings. */
export function settingsHelp(summary: string, settings: readonly Setting<unknown>[]): string {
  const lines = settings.map((setting) => {
    const { env, type, doc } = setting
    return `  ${env}\n      ${doc}\n      ${type}; default ${shownDefault(setting) ?? 'none'}\n`
  })
  return `${summary} The settings are environment variables:\n\n${lines.join('')}`
}
