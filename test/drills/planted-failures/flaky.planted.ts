import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

it('passes except the first time', () => {
  const file = path.join(process.env['results'] ?? '', 'second-time')
  const isSecondTime = existsSync(file)
  writeFileSync(file, '')
  expect(isSecondTime).toBe(true)
})
