import type { FleetClient } from '../client/fleet-client.ts'
import type { ControllerMetrics } from './controller-metrics.ts'
import type { Timers } from './timers.ts'

/** The dependencies of a controller. */
export interface ControllerParts {
  readonly fleet: FleetClient
  readonly timers: Timers
  readonly random: () => number
  /** Aborted when the process no longer leads. A start that waits then rejects. */
  readonly signal: AbortSignal
  readonly metrics?: ControllerMetrics
  readonly onError: (controller: string, error: unknown) => void
}

/** Starts a controller. Disposing it waits for its work in progress. */
export type StartController = (parts: ControllerParts) => Promise<AsyncDisposable>

type NamedParts = Omit<ControllerParts, 'onError'> & { readonly onError: (error: unknown) => void }

/** Adds the name to the errors of a controller. */
export function named(
  name: string,
  start: (parts: NamedParts) => Promise<AsyncDisposable>,
): StartController {
  return ({ onError, ...parts }) => start({ ...parts, onError: (error) => onError(name, error) })
}

/**
 * Starts controllers one after the other. If a start fails or the signal is aborted, disposes those
 * that have started, and rejects. Disposing the result disposes all of them at the same time.
 */
export async function startInOrder(
  starts: readonly StartController[],
  parts: ControllerParts,
): Promise<AsyncDisposable> {
  const started: AsyncDisposable[] = []
  const controllers: AsyncDisposable = {
    [Symbol.asyncDispose]: async () => {
      await Promise.all(started.map((controller) => controller[Symbol.asyncDispose]()))
    },
  }
  try {
    for (const start of starts) {
      parts.signal.throwIfAborted()
      started.push(await start(parts))
    }
    return controllers
  } catch (error) {
    await controllers[Symbol.asyncDispose]()
    throw error
  }
}
