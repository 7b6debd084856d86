import type { Capability } from '../capability/capability.ts'
import { deriveFoundation, FOUNDATION_SETTINGS } from '../capability/foundation-settings.ts'
import { HYPERFLEET_SETTINGS } from '../hyperfleet/hyperfleet-settings.ts'
import { throwIfInvalid } from '../lib/settings/config-error.ts'
import { formerNames, formerWarnings } from '../lib/settings/former-settings.ts'
import { misspeltSettings } from '../lib/settings/misspelt-settings.ts'
import { programEnvironment } from '../lib/settings/program-environment.ts'
import { readSettings } from '../lib/settings/read-settings.ts'
import { jsonList, type Setting } from '../lib/settings/setting.ts'
import type { Kind } from '../store/registry/kind.ts'
import { CAPABILITIES } from './capabilities.ts'
import type { Config, DerivedValues, SettingRows } from './config.ts'
import { problemsOf } from './setting-problems.ts'
import { readAssignment } from './workers/assignment.ts'
import { partsOf } from './workers/parts-of-settings.ts'

/** The table of all settings except those of the kinds: the rows of the foundation and of capabilities. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has the rows of each capability
export const SETTINGS = rowsOf(CAPABILITIES) as SettingRows

/** The rows of the foundation and of some capabilities. */
export function rowsOf(
  capabilities: readonly Capability[],
): Readonly<Record<string, Setting<unknown>>> {
  return Object.assign({}, FOUNDATION_SETTINGS, ...capabilities.map(({ settings }) => settings))
}

function withAdapterSetting(kinds: readonly Kind[]): readonly Kind[] {
  return kinds.filter(({ isReportedByServer }) => isReportedByServer !== true)
}

/** The setting with a kind's required adapters. */
function adapterSetting(kind: Kind): Setting<readonly string[]> {
  return jsonList({
    env: adapterVariable(kind),
    default: kind.requiredAdapters,
    doc: `Adapters whose reports make a ${kind.kind} Ready and Available.`,
  })
}

/** The variable with a kind's required adapters. */
export function adapterVariable({ singular }: Pick<Kind, 'singular'>): string {
  return `HYPERFLEET_${singular.toUpperCase()}_ADAPTERS`
}

/** All settings of a server with these kinds, as `--help` and the documentation list them. */
export function settingsOf(
  kinds: readonly Kind[],
  capabilities: readonly Capability[] = CAPABILITIES,
): readonly Setting<unknown>[] {
  const rows = Object.values(rowsOf(capabilities)).filter(({ retired }) => retired !== true)
  return [...rows, ...withAdapterSetting(kinds).map(adapterSetting)]
}

/** The file that declares kinds. It is read first because other settings depend on the kinds. */
export function kindsFileOf(env: NodeJS.ProcessEnv = programEnvironment()): string | null {
  return env[HYPERFLEET_SETTINGS.entitiesFile.env] || HYPERFLEET_SETTINGS.entitiesFile.default
}

/** Users expect these prefixes, which most settings do not have. */
const EXPECTED_PREFIX = /^(?:FLOTILLA|HYPERFLEET)_/i

/** A line for each variable that is retired, or probably a misspelt setting. */
export function settingWarnings(
  kinds: readonly Kind[],
  env: NodeJS.ProcessEnv = programEnvironment(),
): readonly string[] {
  const names = [...new Set(settingsOf(kinds).map((setting) => setting.env))]
  const rows = Object.values<Setting<unknown>>(SETTINGS)
  const options = { retired: formerNames(rows), prefix: EXPECTED_PREFIX }
  const misspelt = misspeltSettings(env, names, options).map(
    ({ variable, suggestion }) => `${variable} is not a setting: did you mean ${suggestion}?`,
  )
  return [...formerWarnings(rows, env), ...misspelt]
}

/** Reads the settings from the environment; an empty variable counts as unset. */
export function readConfig(
  kinds: readonly Kind[],
  env: NodeJS.ProcessEnv = programEnvironment(),
  capabilities: readonly Capability[] = CAPABILITIES,
): Config {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a capability reads its own rows only
  const rows = rowsOf(capabilities) as SettingRows
  const { values: stated, read, problems } = readSettings(rows, env)
  const assignment = readAssignment(env)
  const values = assignment === null ? stated : partsOf(stated, rows, assignment)
  const adapters = withAdapterSetting(kinds).map(
    (kind) => [kind.kind, read(adapterSetting(kind))] as const,
  )
  const found = capabilities.flatMap((capability) => capability.problems?.(values) ?? [])
  throwIfInvalid([...problems, ...problemsOf(values), ...found])
  const derived: DerivedValues = Object.assign(
    {},
    deriveFoundation(values, assignment?.workers),
    ...capabilities.map((capability) => capability.derive?.(values)),
  )
  return { ...values, ...derived, requiredAdapters: new Map(adapters) }
}
