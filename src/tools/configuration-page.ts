import { settingsOf } from '../cmd/settings.ts'
import { must } from '../lib/assert.ts'
import type { Kind } from '../store/registry/kind.ts'
import { type SettingVariable, settingVariables } from '../lib/settings/setting-variables.ts'

/** The settings that most installations change. */
const FIRST = ['DATABASE_URL', 'HOST', 'PUBLIC_URL', 'JWT_JWKS_URL', 'SECRETS_ENCRYPTION_KEY']

/** Generates docs/configuration.md, the table of settings. */
export function configurationPage(kinds: readonly Kind[]): string {
  const settings = settingVariables(settingsOf(kinds))
  const first = FIRST.map((name) =>
    must(
      settings.find(({ env }) => env === name),
      name,
    ),
  )
  const rest = settings.filter((setting) => !first.includes(setting))
  return `# Configuration

<!-- Generated from the tables of settings by \`npm run openapi\`. -->

Set these environment variables to configure Flotilla. An empty variable counts as unset.
\`npm start -- --help\` prints these tables. If settings are invalid, the server lists all problems and
exits with code 1. A variable of the type \`name=value,...\` has several values, such as
\`WATCHES=limit=500,heartbeat=5s\`; those that it does not name keep their defaults. A value
that contains a comma before \`name=\` is written in double quotes. SIGHUP applies changed values of reloadable settings:
see [Reload settings](operate.md#reload-settings).

## The five that most people need

${tableOf(first)}

## All others

${tableOf(rest)}
`
}

function tableOf(settings: readonly SettingVariable[]): string {
  const rows = settings.map(
    ({ env, type, default: value, docs }) =>
      `| \`${env}\` | ${type} | ${value === null ? 'none' : `\`${value}\``} | ${docs.join('<br>')} |`,
  )
  return `| Variable | Type | Default | Meaning |\n|---|---|---|---|\n${rows.join('\n')}`
}
