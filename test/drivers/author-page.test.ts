import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { CONFORMANCE_CHECKS } from './conformance/run-conformance.ts'
import { ACTION_FOR_CODE } from '../../src/sandboxes/drivers/protocol/action-for-code.ts'

const read = (file: string) => readFile(new URL(`../../${file}`, import.meta.url), 'utf8')
const page = await read('docs/sandbox-drivers.md')

describe('the page for authors of drivers', () => {
  it('shows the driver that the tests run', async () => {
    const [, shown] = /```python\n([^]*?)^```$/m.exec(page) ?? []
    expect(shown).toBe(await read('test/drivers/python/copy_driver.py'))
  })

  it('lists the action for every code', () => {
    const rows = [...page.matchAll(/^\| `([A-Z_]+)` +\| (\w+) +\|/gm)]
    expect(Object.fromEntries(rows.map(([, code, action]) => [code, action]))).toEqual(
      ACTION_FOR_CODE,
    )
  })

  it('lists every conformance check in its order', () => {
    const [, rules = ''] = page.split('\n## Rules\n')
    const listed = [...rules.matchAll(/^- (.*)$/gm)].map(([, name]) => name)
    expect(listed).toEqual(CONFORMANCE_CHECKS.map(({ name }) => name))
  })
})
