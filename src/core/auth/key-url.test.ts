import { expect, onTestFinished, test } from 'vitest'
import { answerWith, type KeyServer, serveKeys } from '../../http/auth/fixtures.ts'
import { keyUrl } from './key-url.ts'

const never = new AbortController().signal

async function answering(answer: KeyServer['answer']): Promise<KeyServer> {
  const server = await serveKeys()
  onTestFinished(() => server[Symbol.asyncDispose]())
  server.answer = answer
  return server
}

test('reads the body', async () => {
  const { url } = await answering(answerWith('{"keys":[]}'))
  await expect(keyUrl(url).read(never)).resolves.toBe('{"keys":[]}')
})

test('leaves the query out of its name', async () => {
  expect(keyUrl('https://id.example/keys?secret=s3cret').name).toBe(
    'JWT_JWKS_URL (https://id.example/keys)',
  )
})

test('reads a body of 1 MiB and none that is longer', async () => {
  const server = await answering(answerWith('x'.repeat(1_048_576)))
  await expect(keyUrl(server.url).read(never)).resolves.toHaveLength(1_048_576)
  server.answer = answerWith('x'.repeat(1_048_577))
  await expect(keyUrl(server.url).read(never)).rejects.toThrow('longer than 1048576 bytes')
})

test('refuses another status', async () => {
  const { url } = await answering(answerWith('{"keys":[]}', 404))
  await expect(keyUrl(url).read(never)).rejects.toThrow('found 404')
})

test('follows no redirect', async () => {
  const target = await answering(answerWith('{"keys":[]}'))
  const { url } = await answering((response) => {
    response.writeHead(302, { location: target.url }).end()
  })
  await expect(keyUrl(url).read(never)).rejects.toThrow()
  expect(target.hits).toBe(0)
})

test('gives up on an answer that does not begin, or does not end, in time', async () => {
  const server = await answering(() => undefined)
  const hasty = keyUrl(server.url, { timeoutMs: 100 })
  await expect(hasty.read(never)).rejects.toThrow('no whole answer within 100 ms')
  server.answer = (response) => void response.write('{"keys":')
  await expect(hasty.read(never)).rejects.toThrow('no whole answer within 100 ms')
})

test('stops when it is told to', async () => {
  const { url } = await answering(() => controller.abort())
  const controller = new AbortController()
  await expect(keyUrl(url).read(controller.signal)).rejects.toThrow('aborted')
})
