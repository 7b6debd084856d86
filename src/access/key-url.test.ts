import { expect, onTestFinished, test } from 'vitest'
import { respondWith, type KeyServer, serveKeys } from '../http/auth/fixtures.ts'
import { keyUrl } from './key-url.ts'

const never = new AbortController().signal

async function responding(respond: KeyServer['respond']): Promise<KeyServer> {
  const server = await serveKeys()
  onTestFinished(() => server[Symbol.asyncDispose]())
  server.respond = respond
  return server
}

test('reads the body', async () => {
  const { url } = await responding(respondWith('{"keys":[]}'))
  await expect(keyUrl(url).read(never)).resolves.toBe('{"keys":[]}')
})

test('leaves the query out of its name', async () => {
  expect(keyUrl('https://id.example/keys?secret=s3cret').name).toBe(
    'JWT_JWKS_URL (https://id.example/keys)',
  )
})

test('reads a body of 1 MiB and rejects a longer one', async () => {
  const server = await responding(respondWith('x'.repeat(1_048_576)))
  await expect(keyUrl(server.url).read(never)).resolves.toHaveLength(1_048_576)
  server.respond = respondWith('x'.repeat(1_048_577))
  await expect(keyUrl(server.url).read(never)).rejects.toThrow('longer than 1048576 bytes')
})

test('rejects a status other than 200', async () => {
  const { url } = await responding(respondWith('{"keys":[]}', 404))
  await expect(keyUrl(url).read(never)).rejects.toThrow('found 404')
})

test('does not follow a redirect', async () => {
  const target = await responding(respondWith('{"keys":[]}'))
  const { url } = await responding((response) => {
    response.writeHead(302, { location: target.url }).end()
  })
  await expect(keyUrl(url).read(never)).rejects.toThrow()
  expect(target.hits).toBe(0)
})

test('rejects if the response does not start or end in time', async () => {
  const server = await responding(() => undefined)
  const hasty = keyUrl(server.url, { timeoutMs: 100 })
  await expect(hasty.read(never)).rejects.toThrow('no complete response within 100 ms')
  server.respond = (response) => void response.write('{"keys":')
  await expect(hasty.read(never)).rejects.toThrow('no complete response within 100 ms')
})

test('stops when the signal is aborted', async () => {
  const { url } = await responding(() => controller.abort())
  const controller = new AbortController()
  await expect(keyUrl(url).read(controller.signal)).rejects.toThrow('aborted')
})
