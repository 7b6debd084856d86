import { afterEach, expect, it, vi } from 'vitest'
import { kinds } from '../../hyperfleet/kinds/index.ts'
import { readConfig } from '../../cmd/settings.ts'
import { sandboxdEnvironment } from './sandboxd-environment.ts'

afterEach(() => vi.unstubAllEnvs())

it('passes settings of sandboxes, and none of the secrets of the server', () => {
  const secrets = {
    DATABASE_URL: 'postgres://user:secret@db/flotilla',
    SECRETS_ENCRYPTION_KEY: `one:${Buffer.alloc(32, 7).toString('base64')}`,
    AWS_SECRET_ACCESS_KEY: 'of another program',
    SANDBOXD_TOKEN_FILE: '/secret/token',
  }
  const passed = { SANDBOXD_TLS_CA_FILE: '/tls/ca.crt', SANDBOXD_CAPACITY: '7', PATH: '/usr/bin' }
  for (const [name, value] of Object.entries({ ...secrets, ...passed })) vi.stubEnv(name, value)
  const config = readConfig(kinds)
  const environment = sandboxdEnvironment(config, '/data/sandboxd')
  expect(environment).toMatchObject({ ...passed, SANDBOXD_DIR: '/data/sandboxd' })
  const values = JSON.stringify(environment)
  for (const [name, value] of Object.entries(secrets)) {
    expect(values, name).not.toContain(value)
  }
})
