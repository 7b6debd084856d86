import { pathProblem } from './path-problem.ts'

/** Parameters of stores that are paths. */
const PATHS = ['path', 'prefix']
/** Parameters that each store needs. */
const REQUIRED: Readonly<Record<string, string>> = { s3: 'bucket', gcs: 'bucket' }

/** Why parameters cannot be used; null if they can. Parameters of other drivers are theirs. */
export function parameterProblem(parameters: Readonly<Record<string, string>>): string | null {
  for (const name of PATHS) {
    const value = parameters[name]
    const problem = value === undefined ? null : pathProblem(value)
    if (problem !== null) return `the parameter ${name} ${problem}: ${JSON.stringify(value)}`
  }
  const store = parameters['store'] ?? ''
  const required = Object.hasOwn(REQUIRED, store) ? REQUIRED[store] : undefined
  if (required === undefined || (parameters[required] ?? '') !== '') return null
  return `the store ${store} needs the parameter ${required}`
}
