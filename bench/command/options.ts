import { parseArgs } from 'node:util'
import { SCENARIO_NAMES, type ScenarioName } from '../scenarios/scenario-names.ts'

/** How long and how often is measured. */
export interface Pace {
  /** Times that everybody gets a turn. */
  readonly rounds: number
  /** Of one measurement. */
  readonly seconds: number
  /** Seconds of load before each measurement. */
  readonly warmUp: number
  /** Seconds of load before the first measurement of each. */
  readonly firstWarmUp: number
}

/** A server that speaks the contract and that somebody else started. */
export interface GivenServer {
  readonly origin: string
  readonly pid: number | null
  readonly postgresPid: number | null
}

/** What is measured beside: a server, or another checkout of this repository. */
export type Rival =
  | { readonly server: GivenServer; readonly checkout?: never }
  | {
      readonly checkout: string
      readonly env: Readonly<Record<string, string>>
      readonly server?: never
    }

export interface Options {
  readonly scenario: ScenarioName
  readonly given: GivenServer | null
  readonly rival: Rival | null
  readonly rows: number
  /** The most clusters that the growth of cost is followed to. */
  readonly growthRows: number
  readonly connections: readonly number[]
  readonly specBytes: readonly [number, number]
  readonly seed: number
  readonly quick: boolean
  readonly pace: Pace
  /** Of one measurement, where the caller says so: scenarios differ in how long is enough. */
  readonly seconds: number | null
  /** Part of the names of the variants to measure; null for all. */
  readonly only: string | null
  readonly json: string | null
  readonly publish: boolean
  readonly fromSource: boolean
  readonly env: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly reports: boolean
  readonly nodePools: number
}

/** An argument that cannot be used; the message says what to write. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError'
}

const FULL: Pace = { rounds: 5, seconds: 3, warmUp: 0.5, firstWarmUp: 6 }
const QUICK: Pace = { rounds: 3, seconds: 0.3, warmUp: 0.1, firstWarmUp: 2 }

const OPTIONS = {
  url: { type: 'string' },
  pid: { type: 'string' },
  'postgres-pid': { type: 'string' },
  against: { type: 'string' },
  'against-pid': { type: 'string' },
  'against-postgres-pid': { type: 'string' },
  'against-env': { type: 'string', multiple: true },
  rows: { type: 'string' },
  connections: { type: 'string', default: '1,16,64' },
  'spec-bytes': { type: 'string', default: '1024-10240' },
  seed: { type: 'string', default: '1' },
  quick: { type: 'boolean', default: false },
  rounds: { type: 'string' },
  seconds: { type: 'string' },
  only: { type: 'string' },
  json: { type: 'string' },
  publish: { type: 'boolean', default: false },
  source: { type: 'boolean', default: false },
  env: { type: 'string', multiple: true },
  header: { type: 'string', multiple: true },
  'without-reports': { type: 'boolean', default: false },
  'node-pools': { type: 'string', default: '0' },
} as const

/** Reads the command line; throws an ArgumentError for what it does not understand. */
export function readOptions(words: readonly string[]): Options {
  const { values, positionals } = parse(words)
  const [scenario, ...rest] = positionals
  if (!isScenario(scenario) || rest.length > 0) {
    throw new ArgumentError(`name one scenario of: ${SCENARIO_NAMES.join(', ')}, load, rebuild`)
  }
  const pace = values.quick ? QUICK : FULL
  const rounds = integer('rounds', values.rounds ?? String(pace.rounds), 1)
  const given = values.seconds === undefined ? null : number('seconds', values.seconds)
  const seconds = given ?? pace.seconds
  return {
    scenario,
    given: givenServer(values.url, values.pid, values['postgres-pid']),
    rival: rivalOf(values),
    rows: integer('rows', values.rows ?? '10000', 1),
    growthRows: integer('rows', values.rows ?? '1000000', 1),
    connections: values.connections.split(',').map((text) => integer('connections', text, 1)),
    specBytes: sizes(values['spec-bytes']),
    seed: integer('seed', values.seed, 0),
    quick: values.quick,
    pace: {
      ...pace,
      rounds,
      seconds,
      firstWarmUp: given === null ? pace.firstWarmUp : Math.min(pace.firstWarmUp, given),
    },
    seconds: given,
    only: values.only ?? null,
    json: values.json ?? null,
    publish: values.publish,
    fromSource: values.source,
    env: pairs('env', values.env ?? [], '='),
    headers: pairs('header', values.header ?? [], ':'),
    reports: !values['without-reports'],
    nodePools: integer('node-pools', values['node-pools'], 0),
  }
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true })
  } catch (error) {
    if (error instanceof Error) throw new ArgumentError(error.message, { cause: error })
    throw error
  }
}

type Values = ReturnType<typeof parse>['values']

function isScenario(text: string | undefined): text is ScenarioName {
  return SCENARIO_NAMES.some((name) => name === text)
}

function rivalOf(values: Values): Rival | null {
  const { against } = values
  if (against === undefined) return null
  const env = pairs('against-env', values['against-env'] ?? [], '=')
  if (!/^https?:/.test(against)) return { checkout: against, env }
  const server = givenServer(against, values['against-pid'], values['against-postgres-pid'])
  return server && { server }
}

function givenServer(
  url: string | undefined,
  pid: string | undefined,
  postgresPid: string | undefined,
): GivenServer | null {
  if (url === undefined) return null
  if (!URL.canParse(url) || !url.startsWith('http://')) {
    throw new ArgumentError(`'${url}' is not http://host:port`)
  }
  const process = (text: string | undefined): number | null =>
    text === undefined ? null : integer('pid', text, 1)
  const { hostname, port } = new URL(url)
  const origin = `http://${hostname}:${port === '' ? '80' : port}`
  return { origin, pid: process(pid), postgresPid: process(postgresPid) }
}

function integer(name: string, text: string, least: number): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= least) return value
  throw new ArgumentError(`--${name}: expected an integer from ${least}, found '${text}'`)
}

function number(name: string, text: string): number {
  const value = Number(text)
  if (value > 0 && Number.isFinite(value)) return value
  throw new ArgumentError(`--${name}: expected a number above 0, found '${text}'`)
}

/** `1024` or `1024-10240`. */
function sizes(text: string): readonly [number, number] {
  const [least = '', most = least, ...rest] = text.split('-')
  const range = [integer('spec-bytes', least, 1), integer('spec-bytes', most, 1)] as const
  if (rest.length === 0 && range[0] <= range[1]) return range
  throw new ArgumentError(`--spec-bytes: expected 1024 or 1024-10240, found '${text}'`)
}

function pairs(
  name: string,
  texts: readonly string[],
  separator: string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf(separator)
      if (at < 1)
        throw new ArgumentError(`--${name}: expected NAME${separator}VALUE, found '${text}'`)
      return [text.slice(0, at).trim(), text.slice(at + 1).trim()]
    }),
  )
}
