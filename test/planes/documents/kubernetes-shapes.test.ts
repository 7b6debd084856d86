import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { parseShapes, type ShapedDocument, shapesOf } from './openapi-shape.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ env: { LOG_LEVEL: 'warn' } })
})
afterAll(() => server[Symbol.asyncDispose]())

/** Deliberate differences: the field as Kubernetes declares it, and as planes do. */
const DIFFERENCES = new Map([
  // Events of the core group have no time in microseconds.
  ['  eventTime! date-time', '  eventTime date-time'],
  // Bytes are no list.
  ['  caBundle byte list=atomic', '  caBundle byte'],
])

function comparable(shape: string | undefined): string | undefined {
  return (
    shape
      ?.split('\n')
      .map((line) => DIFFERENCES.get(line) ?? line)
      // Strategic merge patches of definitions merge their conditions.
      .map((line) =>
        line.replace(/^( {2}conditions \[\]CustomResourceDefinition.*) patch=.*$/, '$1'),
      )
      .join('\n')
  )
}

test('declares kinds and operations as a Kubernetes 1.35 server does', async () => {
  const text = await readFile(new URL('kubernetes-shapes.txt', import.meta.url), 'utf8')
  const response = await fetch(`${server.origin}/openapi/v2`)
  const document: ShapedDocument = JSON.parse(await response.text())
  const served = shapesOf(document)
  for (const [name, shape] of parseShapes(text)) {
    expect(comparable(served.get(name)), name).toBe(comparable(shape))
  }
})
