import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { openTerminal } from '../output/open-terminal.ts'
import { withProgress } from './with-progress.ts'

async function* pages() {
  for (const item of ['a', 'b', 'c']) yield { items: [item], total: 3, resourceVersion: '' }
}

async function errorsOf(isTty: { readonly out: boolean | null; readonly err: boolean }) {
  const stream = Object.assign(new PassThrough(), { isTTY: isTty.err })
  const err = openTerminal(stream, { NO_COLOR: '1' })
  const items: string[] = []
  const out = isTty.out === null ? null : { isTty: isTty.out }
  for await (const page of withProgress({ out, err }, pages())) items.push(...page.items)
  expect(items).toEqual(['a', 'b', 'c'])
  return String(stream.read() ?? '')
}

test('a terminal shows how many items of a redirected list are read, then clears the line', async () => {
  const clear = '\r\u001b[K'
  const shown = `${clear}1 of 3${clear}2 of 3${clear}`
  expect(await errorsOf({ out: false, err: true })).toBe(shown)
  expect(await errorsOf({ out: null, err: true })).toBe(shown)
})

test('nothing is shown between the rows of a terminal, or in a log', async () => {
  expect(await errorsOf({ out: true, err: true })).toBe('')
  expect(await errorsOf({ out: false, err: false })).toBe('')
})
