import { describe, expect, it } from 'vitest'
import { completeReport } from './validate-report.ts'
import { at, reportOf, reports } from '../conditions/fixtures.ts'

const sent = reportOf(reports('a', 'True', 3), 5)

describe('a report', () => {
  it("gets the server's time if it has none", () => {
    expect(completeReport({ ...sent, observedTime: null }, at(9))).toEqual({
      ...sent,
      observedTime: at(9).toISOString(),
    })
  })

  it('keeps the sent values', () => {
    expect(completeReport(sent, at(9))).toEqual(sent)
  })
})
