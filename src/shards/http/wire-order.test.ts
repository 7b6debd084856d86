import fc from 'fast-check'
import { expect, it } from 'vitest'
import { timeOfMicroseconds } from '../../lib/precise-date.ts'
import { itemOrder } from './wire-order.ts'

const NOON = Date.parse('2026-03-01T12:00:00Z') * 1000

it.each(['asc', 'desc'])('orders times of servers that write three or six digits: %s', (order) => {
  const times = fc.array(fc.tuple(fc.nat(3000), fc.boolean()), { minLength: 2, maxLength: 20 })
  const compare = itemOrder('created_time', order)
  fc.assert(
    fc.property(times, (entries) => {
      const items = entries.map(([after, isOlder], index) => {
        // Older servers have whole milliseconds.
        const microseconds = NOON + (isOlder ? after - (after % 1000) : after)
        const text = timeOfMicroseconds(microseconds).toISOString()
        const created_time = isOlder ? text.replace('000Z', 'Z') : text
        return { microseconds, item: { created_time, id: String(index).padStart(3, '0') } }
      })
      const sorted = items.toSorted((a, b) => compare(a.item, b.item))
      const sign = order === 'asc' ? 1 : -1
      for (const [index, { microseconds }] of sorted.entries()) {
        const previous = sorted[index - 1]
        if (previous)
          expect((microseconds - previous.microseconds) * sign).toBeGreaterThanOrEqual(0)
      }
    }),
  )
})
