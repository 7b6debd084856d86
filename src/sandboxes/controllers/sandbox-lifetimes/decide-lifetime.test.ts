import { describe, expect, test } from 'vitest'
import { decideLifetime } from './decide-lifetime.ts'

const at = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1000)

const SANDBOX = {
  isDeleting: false,
  operatingMode: 'Running',
  shutdownTime: null,
  shutdownPolicy: 'Retain',
  autoSuspend: { idleSeconds: null, suspendedTtlSeconds: null },
} as const
const TIMES = { readySince: null, suspendedSince: null, lastActivity: null }

describe('an expired sandbox', () => {
  const sandbox = { ...SANDBOX, shutdownTime: at(10), shutdownPolicy: 'Delete' } as const

  test('is deleted at its shutdown time and not before', () => {
    expect(decideLifetime(sandbox, TIMES, at(9))).toEqual({ action: null, checkAt: at(10) })
    expect(decideLifetime(sandbox, TIMES, at(10))).toEqual({ action: 'DeleteExpired' })
  })

  test('stays if its policy is Retain or its deletion has begun', () => {
    const none = { action: null, checkAt: null }
    const retained = { ...sandbox, shutdownPolicy: 'Retain' } as const
    expect(decideLifetime(retained, TIMES, at(11))).toEqual(none)
    expect(decideLifetime({ ...sandbox, isDeleting: true }, TIMES, at(11))).toEqual(none)
  })
})

describe('an idle sandbox', () => {
  const sandbox = { ...SANDBOX, autoSuspend: { idleSeconds: 60, suspendedTtlSeconds: 100 } }
  const times = { ...TIMES, readySince: at(0) }

  test('is suspended after its last activity or its start, whichever is later', () => {
    const used = { ...times, lastActivity: at(30) }
    expect(decideLifetime(sandbox, used, at(89))).toEqual({ action: null, checkAt: at(90) })
    expect(decideLifetime(sandbox, used, at(90))).toEqual({ action: 'SuspendIdle' })
    const before = { ...times, lastActivity: at(-500) }
    expect(decideLifetime(sandbox, before, at(59))).toEqual({ action: null, checkAt: at(60) })
  })

  test('is not suspended before it is ready', () => {
    expect(decideLifetime(sandbox, TIMES, at(900))).toEqual({ action: null, checkAt: null })
  })

  test('is deleted when it was suspended for too long', () => {
    const suspended = { ...sandbox, operatingMode: 'Suspended' } as const
    const since = { ...TIMES, suspendedSince: at(0) }
    expect(decideLifetime(suspended, since, at(99))).toEqual({ action: null, checkAt: at(100) })
    expect(decideLifetime(suspended, since, at(100))).toEqual({ action: 'DeleteSuspended' })
    expect(decideLifetime(sandbox, since, at(100))).toEqual({ action: null, checkAt: null })
  })

  test('is checked at the earliest of several deadlines', () => {
    const both = { ...sandbox, shutdownTime: at(20), shutdownPolicy: 'Delete' } as const
    expect(decideLifetime(both, times, at(1))).toEqual({ action: null, checkAt: at(20) })
    expect(decideLifetime(both, times, at(100))).toEqual({ action: 'DeleteExpired' })
  })
})
