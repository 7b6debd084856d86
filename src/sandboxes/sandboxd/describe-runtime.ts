import type { JsonObject } from 'flotilla'
import type { DriverInfo, IsolationClass } from '../drivers/generated/proto/snapshot_driver_pb.ts'
import { basicDriverProblem } from '../drivers/protocol/basic-driver-problem.ts'
import { connectRuntime, type RuntimeConnection } from '../drivers/protocol/connect-runtime.ts'
import type { ApiServer } from '../drivers/runtime/api/api-servers.ts'
import { REGISTRATION_HEADER } from '../drivers/protocol/installation.ts'
import { SandboxDriverError } from '../drivers/protocol/sandbox-driver-error.ts'
import type { TlsMaterial } from '../drivers/protocol/tls-material.ts'
import type { RuntimeDescription } from '../controllers/sandboxes/runtimes/register-runtime.ts'

const TIMEOUT_MS = 5000

interface Options {
  readonly connection: Pick<RuntimeConnection, 'runtime' | 'driver'>
  /** The endpoint that the controllers call. */
  readonly endpoint: string
  readonly tls: TlsMaterial | null
  readonly apiServer: ApiServerOf
  /** The ID of the installation, if the connection does not name it; null if it is unknown. */
  readonly installationId?: () => Promise<string | null>
}

/** The server of the API that the runtime hears of; null if there is none for sandboxes. */
export type ApiServerOf = () => Promise<ApiServer | null>

/** The registration of a runtime, as the runtime and the drivers of its machine describe it. */
export async function describeRuntime(options: Options): Promise<RuntimeDescription> {
  const { connection, endpoint, tls } = options
  const apiServer = await options.apiServer()
  const request = apiServer === null ? {} : { apiServer: { ...apiServer } }
  const registration = (await options.installationId?.()) ?? null
  const info = await connection.runtime.getRuntimeInfo(request, {
    timeoutMs: TIMEOUT_MS,
    ...(registration !== null && { headers: { [REGISTRATION_HEADER]: registration } }),
  })
  const own = await connection.driver.getInfo({}, { timeoutMs: TIMEOUT_MS })
  const others = info.drivers.filter((driver) => driver.endpoint !== '')
  return {
    id: info.id,
    spec: {
      endpoint,
      machine: info.machine,
      capacity: { sandboxes: info.capacity },
      drivers: [
        ...own.drivers.map((driver) => ({ name: driver.name, capabilities: capabilities(driver) })),
        ...(await Promise.all(others.map((driver) => describeOther(driver, tls)))),
      ],
    },
    sandboxes: info.instances,
    refusal: info.refusal === '' ? null : info.refusal,
    startProblem: info.startProblem === '' ? null : info.startProblem,
    isolation: info.isolationClasses.map(isolation),
    images: info.images.map(({ name, digest, sizeBytes, tenant, namespace }) => ({
      name,
      digest,
      sizeBytes: Number(sizeBytes),
      ...(tenant !== '' && { tenant }),
      ...(namespace !== '' && { namespace }),
    })),
    limits: info.limitScopes.map(({ name, scope, reason }) => ({
      name,
      scope,
      ...(reason !== '' && { reason }),
    })),
  }
}

function isolation(offered: IsolationClass): JsonObject {
  const { name, separates, reason, isDefault, networkPolicies, networkProblem, apiAccess } = offered
  return {
    name,
    separates,
    isDefault,
    networkPolicies,
    apiAccess,
    ...(reason !== '' && { reason }),
    ...(networkProblem !== '' && { networkProblem }),
  }
}

function capabilities(info: DriverInfo): JsonObject {
  const { captures, freezes, lists, stores, unavailableReason } = info
  return {
    captures,
    freezes,
    lists,
    ...(stores.length > 0 && { stores }),
    ...(unavailableReason !== '' && { unavailableReason }),
  }
}

interface OtherDriver {
  readonly name: string
  readonly endpoint: string
}

async function describeOther(
  { name, endpoint }: OtherDriver,
  tls: TlsMaterial | null,
): Promise<JsonObject> {
  return { name, endpoint, capabilities: await askOther({ name, endpoint }, tls) }
}

/** A driver without GetInfo supports only the three calls of the proposal. */
async function askOther(
  { name, endpoint }: OtherDriver,
  tls: TlsMaterial | null,
): Promise<JsonObject> {
  using connection = connectRuntime(endpoint, { ...(tls && { tls }) })
  try {
    const { drivers } = await connection.driver.getInfo({}, { timeoutMs: TIMEOUT_MS })
    const info = drivers.find((driver) => driver.name === name)
    return info
      ? capabilities(info)
      : { unavailableReason: `the server at ${endpoint} has no driver '${name}'` }
  } catch (error) {
    if (!(error instanceof SandboxDriverError)) throw error
    if (error.code !== 'UNIMPLEMENTED') {
      return { unavailableReason: `${error.code}: ${error.message}` }
    }
    const unavailableReason = await basicDriverProblem(connection, name)
    if (unavailableReason !== '') return { unavailableReason }
    return { captures: ['filesystem'], freezes: false, lists: false }
  }
}
