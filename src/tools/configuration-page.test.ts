import { expect, test } from 'vitest'
import { shownDefault } from '../lib/settings/setting.ts'
import { settingsOf } from '../cmd/settings.ts'

test('the documentation shows defaults as their variables are read', () => {
  const shown = settingsOf([]).flatMap((setting) => {
    const text = shownDefault(setting)
    // The default policy of the audit log is described in words.
    return text === null || setting.member === 'policy' ? [] : [{ ...setting, text }]
  })
  expect(shown.length).toBeGreaterThan(20)
  for (const { env, text, read, default: value } of shown) expect(read(text), env).toEqual(value)
})
