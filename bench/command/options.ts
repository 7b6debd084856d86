import { parseArgs } from 'node:util'
import { SCENARIO_NAMES, type ScenarioName } from '../scenarios/scenario-names.ts'
import { OPTIONS } from './option-table.ts'

/** How many rounds a measurement has, and how long each of its samples takes. */
export interface Schedule {
  readonly rounds: number
  /** Seconds of one sample. */
  readonly seconds: number
  /** Seconds of load before each sample. */
  readonly warmUp: number
  /** Seconds of load before the first sample of a subject. */
  readonly firstWarmUp: number
}

/** The `--against` subject: another checkout of this repository. */
export interface Comparison {
  readonly root: string
  readonly env: Readonly<Record<string, string>>
}

export interface Options {
  readonly scenario: ScenarioName
  readonly comparison: Comparison | null
  readonly rows: number
  /** The largest dataset of the `growth` scenario, in clusters. */
  readonly growthRows: number
  readonly connections: readonly number[]
  readonly specBytes: readonly [number, number]
  readonly seed: number
  /** How many sandboxes are suspended at the same time; null for the default. */
  readonly sandboxes: number | null
  readonly quick: boolean
  readonly schedule: Schedule
  /** `--seconds`, or null: scenarios have different defaults. */
  readonly seconds: number | null
  /** Only variants whose name contains this text are measured; null for all. */
  readonly only: string | null
  readonly json: string | null
  readonly publish: boolean
  readonly env: Readonly<Record<string, string>>
  readonly reports: boolean
  readonly nodePools: number
}

/** An invalid argument. The message names the expected form. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError'
}

const FULL: Schedule = { rounds: 5, seconds: 3, warmUp: 0.5, firstWarmUp: 6 }
const QUICK: Schedule = { rounds: 3, seconds: 0.3, warmUp: 0.1, firstWarmUp: 2 }

/** Parses the command line. Throws an ArgumentError if it is invalid. */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parse(args)
  const [scenario, ...rest] = positionals
  if (!isScenario(scenario) || rest.length > 0) {
    throw new ArgumentError(
      `expected one scenario of: ${SCENARIO_NAMES.join(', ')}, adapter-work, webhooks, observability, cores, lists`,
    )
  }
  const defaults = values.quick ? QUICK : FULL
  const seconds = values.seconds === undefined ? null : number('seconds', values.seconds)
  return {
    scenario,
    comparison: comparisonOf(values),
    rows: integer('rows', values.rows ?? '10000', 1),
    growthRows: integer('rows', values.rows ?? '1000000', 1),
    connections: values.connections.split(',').map((text) => integer('connections', text, 1)),
    specBytes: sizes(values['spec-bytes']),
    seed: integer('seed', values.seed, 0),
    sandboxes: values.sandboxes === undefined ? null : integer('sandboxes', values.sandboxes, 1),
    quick: values.quick,
    schedule: {
      ...defaults,
      rounds: integer('rounds', values.rounds ?? String(defaults.rounds), 1),
      seconds: seconds ?? defaults.seconds,
      firstWarmUp: Math.min(defaults.firstWarmUp, seconds ?? Infinity),
    },
    seconds,
    only: values.only ?? null,
    json: values.json ?? null,
    publish: values.publish,
    env: pairs('env', values.env ?? []),
    reports: !values['without-reports'],
    nodePools: integer('node-pools', values['node-pools'], 0),
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
  } catch (error) {
    if (error instanceof Error) throw new ArgumentError(error.message, { cause: error })
    throw error
  }
}

type Values = ReturnType<typeof parse>['values']

function isScenario(text: string | undefined): text is ScenarioName {
  return SCENARIO_NAMES.some((name) => name === text)
}

function comparisonOf(values: Values): Comparison | null {
  const { against: root } = values
  if (root === undefined) return null
  return { root, env: pairs('against-env', values['against-env'] ?? []) }
}

/** Parses a whole number. Throws an ArgumentError if it is smaller than `min`. */
export function integer(name: string, text: string, min: number): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min) return value
  throw new ArgumentError(`--${name}: expected an integer of at least ${min}, got '${text}'`)
}

function number(name: string, text: string): number {
  const value = Number(text)
  if (value > 0 && Number.isFinite(value)) return value
  throw new ArgumentError(`--${name}: expected a number above 0, got '${text}'`)
}

/** Parses `1024` or `1024-10240`. */
function sizes(text: string): readonly [number, number] {
  const [min = '', max = min, ...rest] = text.split('-')
  const range = [integer('spec-bytes', min, 1), integer('spec-bytes', max, 1)] as const
  if (rest.length === 0 && range[0] <= range[1]) return range
  throw new ArgumentError(`--spec-bytes: expected 1024 or 1024-10240, got '${text}'`)
}

function pairs(name: string, texts: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf('=')
      if (at < 1) throw new ArgumentError(`--${name}: expected NAME=VALUE, got '${text}'`)
      return [text.slice(0, at).trim(), text.slice(at + 1).trim()]
    }),
  )
}
