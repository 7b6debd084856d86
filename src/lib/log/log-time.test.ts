import { afterEach, expect, it, vi } from 'vitest'
import { logTime } from './log-time.ts'

afterEach(() => void vi.useRealTimers())

it('is the time of the call', () => {
  vi.useFakeTimers()
  vi.setSystemTime(new Date('2026-01-01T12:00:00.007Z'))
  expect(logTime()).toBe(',"time":"2026-01-01T12:00:00.007Z"')
  expect(logTime()).toBe(',"time":"2026-01-01T12:00:00.007Z"')
  vi.setSystemTime(new Date('2026-01-01T12:00:00.008Z'))
  expect(logTime()).toBe(',"time":"2026-01-01T12:00:00.008Z"')
})
