import { Client } from '../../../typescript/src/client.ts'
import { Transport } from '../../../typescript/src/http/transport.ts'
import { observedFetch } from './observed-fetch.ts'
import { Session } from './session.ts'

/** The session of this tab. */
export const session = new Session({ tab: window.sessionStorage, device: window.localStorage })

const options = {
  token: () => session.token(),
  fetch: observedFetch(session, (input, init) => window.fetch(input, init)),
  retries: 2,
}

/** The server that the page comes from. */
export const client = new Client(window.location.origin, options)

/** Requests that the client has no method for. */
export const transport = new Transport(window.location.origin, options)
