import type { Backend } from '../../../../model/backends/backend.ts'
import type { Unresolved } from '../../../../model/backends/backend-resolution.ts'
import { readCredentials } from '../../../snapshot-backends/read-credentials.ts'
import { type OperationRun, planeClient } from '../operation-run.ts'
import { OperationProblem } from '../operation-problem.ts'

/** Throws a problem that ends the step without a call of a driver, if the result is unresolved. */
export function requireResolved<Result extends object>(result: Result | Unresolved): Result {
  if (!('unresolved' in result)) return result
  throw new OperationProblem(result.unresolved, { message: result.message, action: 'unresolved' })
}

/** The credentials of a backend. They are read for each call, so rotated ones apply immediately. */
export async function secretsOf(
  run: OperationRun,
  { credentialsRef }: Backend,
): Promise<Record<string, string>> {
  if (credentialsRef === null) return {}
  const found = await readCredentials(planeClient(run), credentialsRef)
  if (found !== null) return { ...found }
  const { namespace, name } = credentialsRef
  const message = `the Secret ${namespace}/${name} does not exist`
  throw new OperationProblem('CredentialsNotFound', { message, action: 'unresolved' })
}
