import { createHash } from 'node:crypto'
import type { JsonObject } from 'flotilla'
import { recordBackend } from '../../../model/backends/recorded-backend.ts'
import { SandboxDriverError } from '../../../drivers/protocol/sandbox-driver-error.ts'
import { driverStates } from '../../snapshot-backends/driver-states.ts'
import { resolveSandboxBackend } from '../../snapshot-backends/resolve-sandbox-backend.ts'
import {
  attemptId,
  callOptions,
  driverClient,
  type OperationRun,
  type Outcome,
  planeClient,
  recorded,
  sandboxOf,
} from './operation-run.ts'
import { OperationProblem } from './operation-problem.ts'
import { requireResolved, secretsOf } from './placement/usable-backend.ts'
import type { Backend } from '../../../model/backends/backend.ts'

/** Object names have at most 253 characters. */
const MAX_NAME = 240

/** Resolves the backend and asks the driver for its capabilities, before anything is frozen. */
export async function prepareSnapshot(run: OperationRun): Promise<Outcome> {
  const { operation, state } = run
  const backend = await findBackend(run)
  const capabilities = await queryCapabilities(run, backend)
  await validate(run, backend)
  const uid = attemptId(operation)
  const hash = createHash('sha256').update(uid).digest('hex').slice(0, 8)
  const name = recorded(operation.data, 'requested') || `${state.name.slice(0, MAX_NAME)}-${hash}`
  return {
    next: 'Prepared',
    data: { backend: recordBackend(backend), capabilities, snapshot: { name, uid } },
  }
}

async function findBackend(run: OperationRun): Promise<Backend> {
  const { object, spec } = sandboxOf(run)
  if (spec.strategy.type !== 'Hibernate') {
    throw new OperationProblem('ParametersInvalid', {
      message: 'the strategy of the sandbox is not Hibernate, so it names no store for snapshots',
      action: run.operation.kind === 'Snapshot' ? 'fail' : 'unresolved',
    })
  }
  const { reference } = spec.strategy
  const drivers = driverStates(run.parts.runtimes.list())
  const request = { sandbox: object, reference, drivers }
  return requireResolved(await resolveSandboxBackend(planeClient(run), request)).backend
}

/** A driver of the proposal does not implement GetInfo: it has only the three calls. */
async function queryCapabilities(run: OperationRun, { driver }: Backend): Promise<JsonObject> {
  try {
    const { drivers } = await driverClient(run, driver).getInfo({}, callOptions(run))
    const info = drivers.find(({ name }) => name === driver) ?? drivers[0]
    if (info === undefined || info.unavailableReason !== '') {
      throw new OperationProblem('DriverNotFound', {
        message: `The driver "${driver}" cannot be used: ${info?.unavailableReason ?? 'unknown name'}`,
        action: 'unresolved',
      })
    }
    return { isBasic: false, freezes: info.freezes, captures: [...info.captures] }
  } catch (error) {
    if (!isUnimplemented(error)) throw error
    return { isBasic: true, freezes: false, captures: ['filesystem'] }
  }
}

async function validate(run: OperationRun, backend: Backend): Promise<void> {
  const { driver } = backend
  try {
    const secrets = await secretsOf(run, backend)
    const request = { driver, parameters: { ...backend.parameters }, secrets }
    const { problems } = await driverClient(run, driver).validate(request, callOptions(run))
    if (problems.length === 0) return
    throw new OperationProblem('ParametersInvalid', {
      message: problems.join('; '),
      action: 'unresolved',
    })
  } catch (error) {
    if (!isUnimplemented(error)) throw error
  }
}

export function isUnimplemented(error: unknown): boolean {
  return error instanceof SandboxDriverError && error.code === 'UNIMPLEMENTED'
}
