import { setMaxListeners } from 'node:events'

/**
 * Creates an abort controller for any number of concurrent calls. Without it, Node prints a warning
 * about a leak when the eleventh call listens to the signal.
 */
export function sharedAbort(): AbortController {
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  return controller
}
