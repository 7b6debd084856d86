import { programEnvironment } from '../../lib/settings/program-environment.ts'

/** The part of a server that its supervisor gives to a worker. */
export interface Assignment {
  /** Names the worker in the log and in metrics. */
  readonly number: number
  readonly role: 'api' | 'controllers'
  /** The workers that serve the API. They share its limits. */
  readonly workers: number
  /** The embedded database of the supervisor; null if DATABASE_URL is set. */
  readonly databaseUrl: string | null
  /** Port of the API; 0 for the first worker, which finds out. */
  readonly apiPort: number
  readonly healthPort: number
  readonly metricsPort: number
}

const VARIABLE = 'FLOTILLA_WORKER'

/** The environment of a worker with an assignment. */
export function assignmentVariables(assignment: Assignment): Readonly<Record<string, string>> {
  return { [VARIABLE]: JSON.stringify(assignment) }
}

/** The assignment of this process; null if no supervisor has started it. */
export function readAssignment(env: NodeJS.ProcessEnv = programEnvironment()): Assignment | null {
  const text = env[VARIABLE] ?? ''
  // A supervisor of the same version has written it.
  const assignment: Assignment | null = text === '' ? null : JSON.parse(text)
  return assignment
}
