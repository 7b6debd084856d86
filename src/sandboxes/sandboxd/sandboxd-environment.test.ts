import { afterEach, expect, it, vi } from 'vitest'
import { kinds } from '../../hyperfleet/kinds/index.ts'
import { readConfig } from '../../cmd/settings.ts'
import { readSandboxdConfig, sandboxdWarnings } from './sandboxd-config.ts'
import { sandboxdEnvironment } from './sandboxd-environment.ts'

afterEach(() => vi.unstubAllEnvs())

it('passes settings of sandboxes, and none of the secrets of the server', () => {
  const secrets = {
    DATABASE_URL: 'postgres://user:secret@db/flotilla',
    SECRETS_ENCRYPTION_KEY: `one:${Buffer.alloc(32, 7).toString('base64')}`,
    AWS_SECRET_ACCESS_KEY: 'of another program',
  }
  const passed = { PATH: '/usr/bin' }
  const group = 'tls-ca=/tls/ca.crt,capacity=7'
  for (const [name, value] of Object.entries({ ...secrets, ...passed })) vi.stubEnv(name, value)
  vi.stubEnv('SANDBOXD', `${group},token-file=/secret/token`)
  const config = readConfig(kinds)
  const environment = sandboxdEnvironment(config, '/data/sandboxd')
  expect(environment).toMatchObject({
    ...passed,
    SANDBOXD: `dir=/data/sandboxd,${group},keep-workloads=false`,
  })
  const values = JSON.stringify(environment)
  expect(values).not.toContain('/secret/token')
  for (const [name, value] of Object.entries(secrets)) {
    expect(values, name).not.toContain(value)
  }
})

it('passes a directory whose name looks like another value', () => {
  const directory = '/data, capacity=9'
  const environment = sandboxdEnvironment(readConfig(kinds, {}), directory)
  expect(readSandboxdConfig(environment)).toMatchObject({ directory, sandboxdCapacity: 250 })
})

it('warns of former names, which it does not pass on', () => {
  const former = { SANDBOXD_CAPACITY: '7', LOG_FORMAT: 'json' }
  for (const [name, value] of Object.entries(former)) vi.stubEnv(name, value)
  expect(sandboxdWarnings(former)).toEqual([
    'LOG_FORMAT is retired, and the next version ignores it: without it, lines are formatted for people on a terminal, and JSON elsewhere',
    'SANDBOXD_CAPACITY is retired, and the next version ignores it: set capacity=... in SANDBOXD',
  ])
  expect(sandboxdWarnings(sandboxdEnvironment(readConfig(kinds), '/data'))).toEqual([])
})
