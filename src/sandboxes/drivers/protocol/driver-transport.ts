import type { Transport } from '@connectrpc/connect'
import { inSpan, traceHeaders } from 'flotilla'
import { formatInstallation, INSTALLATION_HEADER } from './installation.ts'
import type { InstallationSource } from './installation-source.ts'
import { fromConnectError, SandboxDriverError } from './sandbox-driver-error.ts'

/**
 * A transport whose failures are SandboxDriverErrors. Unary calls without a deadline get the default
 * one, so that a server that hangs cannot block a caller. Calls of a traced request are spans; the
 * span of a stream ends when the stream begins. Calls name the installation; a unary call that is
 * rejected because of it is repeated if the database has failed over since.
 */
export function driverTransport(
  inner: Transport,
  defaultTimeoutMs: number,
  installation?: InstallationSource,
): Transport {
  const failed = (cause: unknown, signal: AbortSignal | undefined): SandboxDriverError => {
    const error = translated(cause, signal)
    if (error.reason === 'OtherInstallation') installation?.forget()
    return error
  }
  return {
    // oxlint-disable-next-line max-params -- the library's interface Transport has these parameters
    async unary(method, signal, timeoutMs = defaultTimeoutMs, ...rest) {
      const [header, ...others] = rest
      const call = (name: string | null) =>
        traced(method, withName(header, name), (headers) =>
          inner.unary(method, signal, timeoutMs, headers, ...others),
        )
      const name = await nameOf(installation)
      try {
        return await call(name)
      } catch (cause) {
        const error = failed(cause, signal)
        if (error.reason !== 'OtherInstallation') throw error
        const changed = await nameOf(installation)
        if (changed === name) throw error
        return await call(changed).catch((repeated: unknown) => {
          throw failed(repeated, signal)
        })
      }
    },
    // oxlint-disable-next-line max-params -- the library's interface Transport has these parameters
    async stream(method, signal, timeoutMs, ...rest) {
      const [header, ...others] = rest
      try {
        const named = withName(header, await nameOf(installation))
        const response = await traced(method, named, (headers) =>
          inner.stream(method, signal, timeoutMs, headers, ...others),
        )
        return {
          ...response,
          message: translatedStream(response.message, (error) => failed(error, signal)),
        }
      } catch (error) {
        throw failed(error, signal)
      }
    },
  }
}

/** The metadata of a call. */
type CallHeaders = ConstructorParameters<typeof Headers>[0]

async function nameOf(source: InstallationSource | undefined): Promise<string | null> {
  const installation = await source?.current()
  return installation ? formatInstallation(installation) : null
}

function withName(header: CallHeaders, name: string | null): CallHeaders {
  if (name === null) return header
  const headers = new Headers(header)
  headers.set(INSTALLATION_HEADER, name)
  return headers
}

interface Method {
  readonly name: string
  readonly parent: { readonly typeName: string }
}

/** Sends the context of a call's span as metadata. */
function traced<T>(
  { name, parent }: Method,
  header: CallHeaders,
  call: (headers: CallHeaders) => Promise<T>,
): Promise<T> {
  const attributes = {
    'rpc.system': 'grpc',
    'rpc.service': parent.typeName,
    'rpc.method': name,
  }
  return inSpan(`${parent.typeName}/${name}`, { kind: 'client', attributes }, (span) => {
    if (span === null) return call(header)
    const headers = new Headers(header)
    for (const [key, value] of Object.entries(traceHeaders(span.context))) headers.set(key, value)
    return call(headers)
  })
}

async function* translatedStream<T>(
  messages: AsyncIterable<T>,
  failure: (error: unknown) => SandboxDriverError,
): AsyncGenerator<T> {
  try {
    yield* messages
  } catch (error) {
    throw failure(error)
  }
}

function translated(error: unknown, signal: AbortSignal | undefined): SandboxDriverError {
  if (signal?.aborted !== true) return fromConnectError(error)
  return new SandboxDriverError('CANCELLED', 'the caller cancelled the call', { cause: error })
}
