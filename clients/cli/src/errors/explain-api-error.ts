import {
  type ApiError,
  Conflict,
  Forbidden,
  NotFound,
  PreconditionFailed,
  TooManyRequests,
  Unauthorized,
} from '../../../typescript/src/index.ts'
import { CliError } from './cli-error.ts'

const RECOVERS = 'Repeat the command later; -v shows each request and its response.'

/** The failure of a request as an error with a hint. */
export function explainApiError(error: ApiError): CliError {
  const details = error.errors
    .filter(({ message }) => !error.message.includes(message))
    .map(({ field, message }) => `  ${field === '' ? message : `${field}: ${message}`}`)
  const options = { cause: error, details, ...hintOf(error) }
  return new CliError(error.message, options)
}

/** The code for a path that the server does not know. */
const NO_ROUTE = 'HYPERFLEET-NTF-000'

type Advice = Pick<NonNullable<ConstructorParameters<typeof CliError>[1]>, 'hint' | 'exit'>

function hintOf(error: ApiError): Advice {
  if (error.status === 0) return connectionAdvice(error)
  if (error instanceof Unauthorized) {
    return { hint: "Log in with 'flotilla login', or set FLOTILLA_TOKEN." }
  }
  if (error instanceof Forbidden) {
    return {
      hint: "'flotilla whoami' shows who you are; 'flotilla can-i VERB KIND' shows what you may do.",
    }
  }
  if (error.code === NO_ROUTE) {
    return { hint: 'The server lacks this feature: it may be older than this command.' }
  }
  if (error instanceof NotFound) {
    return {
      exit: 'notFound',
      hint: "'flotilla get KIND', 'flotilla fleet list' and 'flotilla sandbox list' show what exists.",
    }
  }
  if (error instanceof PreconditionFailed) {
    return { hint: 'The object has changed since it was read. Repeat the command.' }
  }
  if (error instanceof Conflict) return {}
  if (error instanceof TooManyRequests) return { hint: RECOVERS }
  return error.status >= 500 ? { hint: RECOVERS } : {}
}

function connectionAdvice({ code }: ApiError): Advice {
  if (code === 'Timeout') {
    return {
      exit: 'timedOut',
      hint: 'Check the address of the server, or allow more time with --request-timeout.',
    }
  }
  return {
    hint: "Start a server with 'flotilla start', or name another one with --server URL.",
  }
}
