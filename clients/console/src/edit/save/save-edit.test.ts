import { expect, test } from 'vitest'
import { createApiError } from '../../../../typescript/src/errors/create-api-error.ts'
import { patchOf } from './editable-fields.ts'
import { type EditTarget, saveEdit } from './save-edit.ts'

type Resource = Readonly<Record<string, unknown>>

const BASE = { labels: { tier: 'gold' }, spec: { size: 1 } }
const EDIT = { base: BASE, tag: '"a.1"', value: { ...BASE, spec: { size: 2 } } }

function failure(status: number) {
  const errors = status === 400 ? [{ field: 'spec.size', message: 'spec.size must be even' }] : []
  return createApiError({
    status,
    code: '',
    message: 'no',
    requestId: null,
    errors,
    retryAfter: null,
  })
}

/** A server that answers a PATCH with each of the failures, and then accepts it. */
function server(failures: readonly number[], current: Resource = BASE, isLost = false) {
  const sent: unknown[] = []
  let left = [...failures]
  let stored = current
  const target: EditTarget<Resource> = {
    read: () => Promise.resolve({ resource: stored, tag: `"a.${sent.length + 1}"` }),
    patch: (body, tag) => {
      sent.push([body, tag])
      const [status, ...rest] = left
      left = rest
      if (status === undefined || isLost) stored = { ...stored, ...body }
      return status === undefined ? Promise.resolve(stored) : Promise.reject(failure(status))
    },
  }
  return { target, sent }
}

test('sends the changed fields with the tag of the version that was read', async () => {
  const { target, sent } = server([])
  expect(await saveEdit(EDIT, target)).toMatchObject({
    type: 'saved',
    resource: { spec: { size: 2 } },
  })
  expect(sent).toEqual([[{ spec: { size: 2 } }, '"a.1"']])
})

test('repeats the change if only reports have changed the version', async () => {
  const { target, sent } = server([412, 412])
  expect(await saveEdit(EDIT, target)).toMatchObject({ type: 'saved' })
  expect(sent.map((call) => Array.isArray(call) && call[1])).toEqual(['"a.1"', '"a.2"', '"a.3"'])
})

test('reports a conflict if others have changed the fields', async () => {
  const theirs = { ...BASE, spec: { size: 7 } }
  const { target, sent } = server([412], theirs)
  expect(await saveEdit(EDIT, target)).toEqual({
    type: 'conflict',
    current: { resource: theirs, tag: '"a.2"' },
  })
  expect(sent).toHaveLength(1)
})

test('recognizes an edit whose response was lost', async () => {
  const { target, sent } = server([0], BASE, true)
  expect(await saveEdit(EDIT, target)).toMatchObject({ type: 'saved' })
  expect(sent).toHaveLength(1)
})

test('fails without a second attempt if the server did not receive the edit', async () => {
  const { target, sent } = server([0])
  expect(await saveEdit(EDIT, target)).toMatchObject({ type: 'failed', error: { status: 0 } })
  expect(sent).toHaveLength(1)
})

test('returns the violations of an invalid edit', async () => {
  expect(await saveEdit(EDIT, server([400]).target)).toMatchObject({
    type: 'invalid',
    errors: [{ field: 'spec.size' }],
  })
  expect(await saveEdit(EDIT, server([409]).target)).toMatchObject({ type: 'failed' })
})

test('sends nothing without a difference', async () => {
  const { target, sent } = server([])
  expect(await saveEdit({ ...EDIT, value: structuredClone(BASE) }, target)).toEqual({
    type: 'unchanged',
  })
  expect(sent).toEqual([])
})

test('empties fields that the text omits', () => {
  const base = { ...BASE, annotations: { note: 'x' } }
  expect(patchOf(base, { labels: null, spec: { size: 1 } })).toEqual({
    labels: {},
    annotations: {},
  })
  expect(patchOf(base, { labels: BASE.labels, annotations: base.annotations })).toEqual({
    spec: null,
  })
})
