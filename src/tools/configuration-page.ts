import { settingsOf } from '../cmd/settings.ts'
import type { Kind } from '../store/registry/kind.ts'
import { type Setting, shownDefault } from '../lib/settings/setting.ts'

/** Generates docs/configuration.md, the table of settings. */
export function configurationPage(kinds: readonly Kind[]): string {
  const rows = settingsOf(kinds).map(
    (setting) =>
      `| \`${setting.env}\` | ${setting.type} | ${defaultOf(setting)} | ${setting.doc}${setting.reloadable ? ' Reloadable.' : ''} |`,
  )
  return `# Configuration

<!-- Generated from src/cmd/settings.ts by \`npm run openapi\`. -->

Set these environment variables to configure Flotilla. An empty variable counts as unset.
\`npm start -- --help\` prints this table. If settings are invalid, the server lists all problems and
exits with code 1. SIGHUP applies changed values of reloadable settings:
see [Reload settings](operate.md#reload-settings).

| Variable | Type | Default | Meaning |
|---|---|---|---|
${rows.join('\n')}
`
}

function defaultOf(setting: Setting<unknown>): string {
  const shown = shownDefault(setting)
  return shown === null ? 'none' : `\`${shown}\``
}
