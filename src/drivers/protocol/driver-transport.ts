import type { Transport } from '@connectrpc/connect'
import { fromConnectError, SandboxDriverError } from './sandbox-driver-error.ts'

/**
 * A transport whose failures are SandboxDriverErrors. Unary calls without a deadline get the default
 * one, so that a server that hangs cannot block a caller.
 */
export function driverTransport(inner: Transport, defaultTimeoutMs: number): Transport {
  return {
    async unary(method, signal, timeoutMs = defaultTimeoutMs, ...rest) {
      try {
        return await inner.unary(method, signal, timeoutMs, ...rest)
      } catch (error) {
        throw translated(error, signal)
      }
    },
    async stream(method, signal, ...rest) {
      try {
        const response = await inner.stream(method, signal, ...rest)
        return { ...response, message: translatedStream(response.message, signal) }
      } catch (error) {
        throw translated(error, signal)
      }
    },
  }
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
