import pino from 'pino'
import { Client } from '../../../../clients/typescript/src/index.ts'
import type * as KindsModule from '../../../../src/exports/kinds.ts'
import type * as ServerModule from '../../../../src/exports/server.ts'
import { serveKeys, signingKey } from '../../../../src/http/auth/fixtures.ts'
import { isServerCompiled } from '../../../support/server-program.ts'

/** A server that requires tokens, and whose clock the drill moves. */
export interface TimedServer extends AsyncDisposable {
  readonly origin: string
  readonly client: Client
  /** A token that is valid for an hour of the server's clock. */
  newToken(user: string): string
  advanceHours(hours: number): void
}

const HOUR_MS = 3_600_000
const ROOT = new URL('../../../../', import.meta.url)
const ISSUER = { JWT_ISSUER: 'https://issuer.example.com', JWT_AUDIENCE: 'flotilla' }

/** Starts a server in this process, so that tokens expire without waiting. */
export async function startTimedServer(
  databaseUrl: string,
  more: NodeJS.ProcessEnv = {},
): Promise<TimedServer> {
  const { kinds, readConfig, startFlotilla } = await loadLibrary()
  const key = signingKey('RS256', 'current')
  const keys = await serveKeys(key)
  let offset = 0
  const clock = (): Date => new Date(Date.now() + offset)
  const env = { DATABASE_URL: databaseUrl, PORT: '0', HEALTH_PORT: '0', METRICS_PORT: '0' }
  const settings = { ...env, ...ISSUER, ...more, ROLE: 'api', JWT_JWKS_URL: keys.url }
  const flotilla = await startFlotilla(readConfig(kinds, settings), {
    log: pino({ level: 'fatal' }),
    kinds,
    clock,
  })
  const origin = `http://127.0.0.1:${flotilla.port}`
  const newToken = (user: string): string => {
    const exp = Math.floor((clock().getTime() + HOUR_MS) / 1000)
    const claims = { iss: ISSUER.JWT_ISSUER, aud: ISSUER.JWT_AUDIENCE, email: user, exp }
    return key.bearer(claims).replace(/^Bearer /, '')
  }
  return {
    origin,
    client: new Client(origin, { token: () => newToken('drill@example.com') }),
    newToken,
    advanceHours: (hours) => void (offset += hours * HOUR_MS),
    [Symbol.asyncDispose]: async () => {
      await flotilla[Symbol.asyncDispose]()
      await keys[Symbol.asyncDispose]()
    },
  }
}

type Library = Pick<typeof KindsModule, 'kinds'> &
  Pick<typeof ServerModule, 'readConfig' | 'startFlotilla'>

/** Prefers the compiled library: through tsx, the sources take several times the CPU to load. */
async function loadLibrary(): Promise<Library> {
  const [folder, extension] = isServerCompiled() ? ['dist', 'js'] : ['src', 'ts']
  const load = (name: string) =>
    import(new URL(`${folder}/exports/${name}.${extension}`, ROOT).href)
  return { ...(await load('kinds')), ...(await load('server')) }
}
