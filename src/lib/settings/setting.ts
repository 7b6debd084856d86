/** One setting: a row of the table behind `--help` and docs/configuration.md. */
export interface Setting<T> {
  readonly env: string
  /** The name of this value in a variable with several: `WATCHES=limit=100,heartbeat=5s`. */
  readonly member?: string
  /** The variable of the last version. It still has effect, with a warning. */
  readonly former?: string
  /** As the documentation shows it: `port`, `true or false`. */
  readonly type: string
  readonly default: T
  /** The default as users write it, if that differs from its JSON. */
  readonly shown?: string
  readonly doc: string
  /** Whether all servers of a database must have the same value. */
  readonly shared?: true
  /** Whether a running server applies a new value. */
  readonly reloadable?: true
  /** Whether the value is for the whole server, and its workers or all its processes have a part each. */
  readonly divided?: 'workers' | 'processes'
  /**
   * Whether this version is the last one that applies it, with a warning. `doc` says what holds
   * without it, and pages and help omit it.
   */
  readonly retired?: true
  /** Whether it is a port that the server opens last, when it can serve requests. */
  readonly opensLast?: true
  /** Parses the text of the variable; throws an Error that describes the expected format. */
  readonly read: (text: string) => T
}

/** The default for people; null if there is none. */
export function shownDefault({ default: value, shown }: Setting<unknown>): string | null {
  if (shown !== undefined) return shown
  if (value === null || (typeof value === 'object' && Object.keys(value).length === 0)) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}

type Row<T> = Pick<
  Setting<T>,
  'env' | 'member' | 'former' | 'default' | 'doc' | 'shared' | 'reloadable' | 'divided' | 'retired'
>

/** Any text. */
export const text = (row: Row<string>): Setting<string> => ({
  ...row,
  type: 'text',
  read: (value) => value,
})

/** A setting of the last version whose value follows from others, or is the same on every server. */
export const retired = <T>(
  row: Pick<Setting<T>, 'env' | 'doc' | 'shared' | 'reloadable' | 'read'>,
): Setting<T | null> => ({ ...row, type: 'retired', default: null, retired: true })

/** Text that may be absent. */
export const optionalText = (row: Omit<Row<null>, 'default'>): Setting<string | null> => ({
  ...row,
  type: 'text',
  default: null,
  read: (value) => value,
})

/** A whole number in a range. */
export function integer(row: Row<number> & { min: number; max?: number }): Setting<number> {
  const { min, max = Number.MAX_SAFE_INTEGER, ...rest } = row
  return {
    ...rest,
    type: 'integer',
    read: (value) => readInteger(value, { min, max }),
  }
}

/** Parses a whole number in a range. */
export function readInteger(
  value: string,
  { min, max = Number.MAX_SAFE_INTEGER }: { readonly min: number; readonly max?: number },
): number {
  const number = Number(value)
  if (/^\d+$/.test(value) && number >= min && number <= max) return number
  const range = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`
  throw new Error(`expected an integer ${range}, found '${value}'`)
}

/** Timers of Node end immediately if they are longer than 2^31 ms. */
export const MAX_TIMER_MS = 86_400_000

/** A time in milliseconds, up to a day. */
export const milliseconds = (row: Row<number> & { min: number; max?: number }): Setting<number> =>
  integer({ max: MAX_TIMER_MS, ...row })

const UNIT_SECONDS = { s: 1, m: 60, h: 3600, d: 86_400 } as const

/** A duration in whole seconds, minutes, hours or days, such as `90s`, `15m`, `1h`, `2d`. In seconds. */
export const duration = (row: Row<string>): Setting<number> => ({
  ...row,
  type: 'duration',
  default: readDuration(row.default),
  shown: row.default,
  read: readDuration,
})

/** A duration, or 0 for `off`. In seconds. */
export function durationOrOff(row: Row<string>): Setting<number> {
  const read = (value: string): number =>
    value === 'off' || value === '0' ? 0 : readDuration(value)
  return { ...row, type: 'duration or off', default: read(row.default), shown: row.default, read }
}

/** Parses a duration. In seconds. */
export function readDuration(value: string): number {
  const [, count, unit] = /^([1-9]\d{0,3})([smhd])$/.exec(value) ?? []
  if (count !== undefined && isUnit(unit)) return Number(count) * UNIT_SECONDS[unit]
  throw new Error(`expected a duration such as 90s, 15m, 1h or 2d, found '${value}'`)
}

/** Parses durations between commas. In seconds. */
export function readDurations(value: string): readonly number[] {
  return value.split(',').map((item) => readDuration(item.trim()))
}

function isUnit(unit: string | undefined): unit is keyof typeof UNIT_SECONDS {
  return unit !== undefined && Object.hasOwn(UNIT_SECONDS, unit)
}

/** A TCP port; 0 selects a free one. */
export const port = (row: Row<number> & Pick<Setting<number>, 'opensLast'>): Setting<number> => ({
  ...row,
  ...integer({ ...row, min: 0, max: 65_535 }),
  type: 'port',
})

/** `true` or `false`. */
export const flag = (row: Row<boolean>): Setting<boolean> => ({
  ...row,
  type: 'true or false',
  read: readFlag,
})

/** Parses `true` or `false`. */
export function readFlag(value: string): boolean {
  if (value === 'true') return true
  if (value === 'false') return false
  throw new Error(`expected true or false, found '${value}'`)
}

/** One of a few words. */
export function choice<const T extends string>(
  row: Row<NoInfer<T>> & { of: readonly T[] },
): Setting<T> {
  const { of, ...rest } = row
  return { ...rest, type: of.join(', '), read: (value) => readChoice(value, of) }
}

/** Finds a word. */
export function readChoice<const T extends string>(value: string, of: readonly T[]): T {
  const found = of.find((word) => word === value)
  if (found === undefined) throw new Error(`expected one of ${of.join(', ')}, found '${value}'`)
  return found
}

/** Words between commas. */
export const commaList = (row: Row<readonly string[]>): Setting<readonly string[]> => ({
  ...row,
  type: 'comma list',
  ...(row.default.length > 0 && { shown: row.default.join(',') }),
  read: (value) =>
    value
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== ''),
})

/** A JSON array of distinct, non-empty strings. */
export const jsonList = (row: Row<readonly string[]>): Setting<readonly string[]> => ({
  ...row,
  type: 'JSON array of strings',
  read: (value) => {
    const list = parseJson(value)
    if (!Array.isArray(list) || !list.every((item) => typeof item === 'string' && item !== '')) {
      throw new Error(`expected a JSON array of strings such as ["a","b"], found '${value}'`)
    }
    if (new Set(list).size < list.length) throw new Error(`a name appears twice in '${value}'`)
    return list
  },
})

function parseJson(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return null
  }
}
