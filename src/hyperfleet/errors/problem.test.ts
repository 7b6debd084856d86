import { describe, expect, test } from 'vitest'
import { HttpError } from '../../http/errors/http-error.ts'
import { FlotillaError, invalid } from '../../lib/errors.ts'
import { problemOf } from './problem.ts'

const context = {
  instance: '/clusters',
  requestId: 'req-1',
  now: new Date('2026-01-02T03:04:05.678Z'),
}

describe('problemOf', () => {
  test('renders an error of the table', () => {
    const { status, headers, body } = problemOf(new FlotillaError('not-found', 'gone'), context)
    expect(status).toBe(404)
    expect(headers['Content-Type']).toBe('application/problem+json')
    expect(body).toEqual({
      type: 'https://api.hyperfleet.io/errors/not-found',
      title: 'Resource Not Found',
      status: 404,
      detail: 'gone',
      instance: '/clusters',
      code: 'HYPERFLEET-NTF-001',
      timestamp: '2026-01-02T03:04:05.678Z',
      trace_id: 'req-1',
    })
  })

  test('lists the violations with what each carries', () => {
    const violation = {
      field: 'search',
      message: 'no',
      constraint: 'c',
      value: 0,
      position: 0,
      length: 3,
    }
    expect(problemOf(invalid([violation]), context).body.errors).toEqual([violation])
  })

  test('uses the status and headers of the error', () => {
    const headers = { Allow: 'GET' }
    const problem = problemOf(new HttpError('method-not-allowed', 'no', { headers }), context)
    expect(problem).toMatchObject({ status: 405, headers, body: { status: 405 } })
  })

  test.each(['unavailable', 'too-many-requests'] as const)(
    '%s says when to try again',
    (reason) => {
      expect(problemOf(new FlotillaError(reason, 'no'), context).headers['Retry-After']).toBe('1')
      const later = new HttpError(reason, 'no', { headers: { 'Retry-After': '7' } })
      expect(problemOf(later, context).headers['Retry-After']).toBe('7')
    },
  )

  test('hides the message of an unexpected error', () => {
    const { body, error } = problemOf(new Error('select secret from resources'), context)
    expect(body).toMatchObject({ status: 500, code: 'HYPERFLEET-INT-001' })
    expect(JSON.stringify(body)).not.toContain('secret')
    expect(error.cause).toBeInstanceOf(Error)
  })

  test('answers a path that cannot be decoded with 400', () => {
    const { body } = problemOf(new URIError('Failed to decode param'), context)
    expect(body).toMatchObject({ status: 400, code: 'HYPERFLEET-VAL-000' })
  })

  test('stays small whatever the request carried', () => {
    const long = 'x'.repeat(1_000_000)
    const violation = { field: long, message: long, constraint: long, value: long }
    const violations = Array.from({ length: 5000 }, () => violation)
    const { body } = problemOf(invalid(violations.slice(0, 5)), { ...context, instance: long })
    expect(JSON.stringify(body).length).toBeLessThan(25_000)
    const many = violations.map(() => ({ field: 'a', message: 'b' }))
    expect(problemOf(invalid(many), context).body.errors).toHaveLength(100)
  })

  test('leaves out values that are objects, and keeps null', () => {
    const values = [{ a: 1 }, [1], null, false]
    const violations = values.map((value) => ({ field: 'a', message: 'b', value }))
    const shown = problemOf(invalid(violations), context).body.errors ?? []
    expect(shown.map((violation) => violation.value)).toEqual([undefined, undefined, null, false])
  })

  test('never sends half a character', () => {
    const { body } = problemOf(
      new FlotillaError('invalid', `a\ud800b${'x'.repeat(4092)}😀`),
      context,
    )
    expect(JSON.stringify(body)).not.toMatch(/\\ud[89a-f]/)
  })
})
