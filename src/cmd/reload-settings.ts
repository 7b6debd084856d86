import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { adapterVariable, readConfig, SETTINGS, settingWarnings } from './settings.ts'
import type { Setting } from '../lib/settings/setting.ts'
import type { Kind } from '../store/registry/kind.ts'
import { errorMessage } from '../lib/error-message.ts'
import type { Flotilla } from './start-flotilla.ts'

interface Options {
  readonly kinds: readonly Kind[]
  readonly log: Logger
  /** The level of lines about reloads that succeed. */
  readonly level: 'info' | 'debug'
}

/** Reloads of the settings, one at a time. */
interface Reloads {
  /** Reads the settings again, and applies those that a running server can change. */
  readonly request: () => void
  /** Call when the server has started. Earlier requests wait for this. */
  readonly start: (server: Pick<Flotilla, 'settings'>) => void
}

export function createReloads({ kinds, log, level }: Options): Reloads {
  let started: (server: Pick<Flotilla, 'settings'>) => void = () => undefined
  const server = new Promise<Pick<Flotilla, 'settings'>>((resolve) => {
    started = resolve
  })
  let last = Promise.resolve()
  return {
    start: started,
    request: () => {
      last = last.then(async () => reload(await server, { kinds, log, level }))
    },
  }
}

/** Never rejects. With an error, nothing changes. */
async function reload(
  { settings }: Pick<Flotilla, 'settings'>,
  { kinds, log, level }: Options,
): Promise<void> {
  try {
    const next = readConfig(kinds)
    const changes = changesBetween(settings.current, next, kinds)
    await settings.apply({ ...settings.current, ...reloadableValues(next) })
    log[level](changes, 'reloaded the settings')
    if (level === 'info') for (const line of settingWarnings(kinds)) log.warn(line)
  } catch (error) {
    log.error({ problems: problemsIn(error) }, 'the settings were not reloaded')
  }
}

const ROWS: readonly (readonly [string, Setting<unknown>])[] = Object.entries(SETTINGS)

/** The names of changed variables. Values are not logged, because some are secret. */
function changesBetween(current: Config, next: Config, kinds: readonly Kind[]) {
  const [before, after] = [new Map(Object.entries(current)), new Map(Object.entries(next))]
  const changed = ROWS.filter(([name]) => textOf(before.get(name)) !== textOf(after.get(name)))
  const namesOf = (isReloadable: boolean): readonly string[] =>
    distinct(
      changed
        .filter(([, { reloadable = false }]) => reloadable === isReloadable)
        .map(([, { env }]) => env),
    )
  const adapters = kinds.filter(({ kind }) => {
    return textOf(current.requiredAdapters.get(kind)) !== textOf(next.requiredAdapters.get(kind))
  })
  const rest = [...namesOf(false), ...adapters.map(adapterVariable)]
  return { changed: namesOf(true), ...(rest.length > 0 && { needs_restart: rest }) }
}

/** Several settings can be values of one variable. */
function distinct(names: readonly string[]): readonly string[] {
  return [...new Set(names)]
}

function textOf(value: unknown): string | undefined {
  return JSON.stringify(value, (_name, member: unknown) =>
    member instanceof RegExp ? member.source : member,
  )
}

function reloadableValues(next: Config): Partial<Config> {
  const values = new Map<string, unknown>(Object.entries(next))
  return Object.fromEntries(
    ROWS.filter(([, { reloadable }]) => reloadable).map(([name]) => [name, values.get(name)]),
  )
}

function problemsIn(error: unknown): readonly string[] {
  return error instanceof AggregateError ? error.errors.map(errorMessage) : [errorMessage(error)]
}
