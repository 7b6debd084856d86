import { ApiError } from '../../../../typescript/src/errors/api-error.ts'

/** An error in the words of the console. */
export interface ErrorText {
  readonly title: string
  readonly message: string
  /** The next step of the user. */
  readonly remedy: string
  /** The code and the ID of the request, for the log of the server. */
  readonly reference: string | null
}

const REMEDIES: Readonly<Record<number, { readonly title: string; readonly remedy: string }>> = {
  0: {
    title: 'The server did not answer',
    remedy: 'Check that the server runs and that this device is online, then try again.',
  },
  400: { title: 'The server rejected the request', remedy: 'Correct the input and try again.' },
  401: { title: 'The token is not valid', remedy: 'Sign in with a new token.' },
  403: {
    title: 'You may not do this',
    remedy: 'Ask an administrator for a role that allows it, or sign in as another user.',
  },
  404: { title: 'Not found', remedy: 'It may have been deleted. Check the name in the address.' },
  409: { title: 'Conflict', remedy: 'Load the current state, then repeat your change.' },
  412: { title: 'The object has changed', remedy: 'Compare with the current state and try again.' },
  429: { title: 'The server is busy', remedy: 'Wait a few seconds, then try again.' },
  503: { title: 'The server is not available', remedy: 'Wait until it is ready, then try again.' },
}

const OTHER = {
  title: 'The request failed',
  remedy: 'Try again. If it fails again, look up the request in the log of the server.',
}

/** Describes any error of a request or of the page. */
export function describeError(error: unknown): ErrorText {
  if (!(error instanceof ApiError)) {
    const message = error instanceof Error ? error.message : String(error)
    const remedy = 'Reload the page. Unsaved edits are kept.'
    return { title: 'The page has an error', message, remedy, reference: null }
  }
  const { title, remedy } = REMEDIES[error.status] ?? OTHER
  const parts = [error.code, error.requestId].filter((part) => part !== null && part !== '')
  return {
    title,
    message: error.message,
    remedy,
    reference: parts.length === 0 ? null : parts.join(' · '),
  }
}
