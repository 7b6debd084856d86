import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { manifestOf } from '../../src/tools/published/manifest.ts'
import { REMOVAL_ADVICE, removalsOf } from '../../src/tools/published/removals.ts'
import { startTestServer } from '../support/test-server.ts'

test('the served document keeps everything that was published', async () => {
  await using server = await startTestServer()
  const answer = await fetch(`${server.origin}/openapi/flotilla.yaml`)
  const current = manifestOf(parse(await answer.text()))
  const manifest = new URL('../../openapi/published.yaml', import.meta.url)
  const removals = removalsOf(parse(await readFile(manifest, 'utf8')), current)
  expect(removals, REMOVAL_ADVICE).toEqual([])
})
