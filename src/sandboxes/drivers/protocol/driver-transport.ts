import type { Transport } from '@connectrpc/connect'
import { inSpan, traceHeaders } from 'flotilla'
import { fromConnectError, SandboxDriverError } from './sandbox-driver-error.ts'

/**
 * A transport whose failures are SandboxDriverErrors. Unary calls without a deadline get the default
 * one, so that a server that hangs cannot block a caller. Calls of a traced request are spans; the
 * span of a stream ends when the stream begins.
 */
export function driverTransport(inner: Transport, defaultTimeoutMs: number): Transport {
  return {
    async unary(method, signal, timeoutMs = defaultTimeoutMs, ...rest) {
      const [header, ...others] = rest
      try {
        return await traced(method, header, (headers) =>
          inner.unary(method, signal, timeoutMs, headers, ...others),
        )
      } catch (error) {
        throw translated(error, signal)
      }
    },
    async stream(method, signal, timeoutMs, ...rest) {
      const [header, ...others] = rest
      try {
        const response = await traced(method, header, (headers) =>
          inner.stream(method, signal, timeoutMs, headers, ...others),
        )
        return { ...response, message: translatedStream(response.message, signal) }
      } catch (error) {
        throw translated(error, signal)
      }
    },
  }
}

/** The metadata of a call. */
type CallHeaders = ConstructorParameters<typeof Headers>[0]

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
  signal: AbortSignal | undefined,
): AsyncGenerator<T> {
  try {
    yield* messages
  } catch (error) {
    throw translated(error, signal)
  }
}

function translated(error: unknown, signal: AbortSignal | undefined): SandboxDriverError {
  if (signal?.aborted !== true) return fromConnectError(error)
  return new SandboxDriverError('CANCELLED', 'the caller cancelled the call', { cause: error })
}
