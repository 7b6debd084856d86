import { expect, it } from 'vitest'
import { kinds } from '../../hyperfleet/kinds/index.ts'
import { readConfig } from '../../cmd/settings.ts'
import { sandboxApiProblem, sandboxStartProblem } from './sandbox-start-problem.ts'

const TOKENS = { JWT_JWKS_URL: 'https://sso.example.com/keys' }
const ISSUERS = {
  JWT_ISSUERS: '[{"issuer_url":"https://a.example","jwk_cert_url":"https://a.example/keys"}]',
}

it.each<[string, NodeJS.ProcessEnv, boolean]>([
  ['a default server', {}, false],
  ['a server with authentication', TOKENS, true],
  ['a server with issuers', ISSUERS, true],
  ['a server whose authentication is disabled', { ...TOKENS, AUTH_DISABLED: 'true' }, false],
  ['a default server with consent', { SANDBOX_UNISOLATED: 'true' }, true],
])('decides whether %s starts sandboxes', (_name, env, starts) => {
  const problem = sandboxStartProblem(readConfig(kinds, env))
  expect(problem === null).toBe(starts)
  if (problem !== null) expect(problem).toContain('SANDBOX_UNISOLATED=true')
})

it.each<[string, NodeJS.ProcessEnv, string | null]>([
  ['a default server', {}, 'JWT_JWKS_URL'],
  ['a default server with consent', { SANDBOX_UNISOLATED: 'true' }, 'JWT_JWKS_URL'],
  ['a server with authentication', TOKENS, null],
  [
    'a server whose authentication is disabled',
    { ...TOKENS, AUTH_DISABLED: 'true' },
    'JWT_JWKS_URL',
  ],
])('decides whether %s gives sandboxes access to the API', (_name, env, remedy) => {
  const problem = sandboxApiProblem(readConfig(kinds, env))
  if (remedy === null) expect(problem).toBeNull()
  else expect(problem).toContain(remedy)
})
