import { expect, test } from 'vitest'
import type { View } from '../../../typescript/src/generated/hyperfleet.ts'
import { createApiError } from '../../../typescript/src/errors/create-api-error.ts'
import type { EditTarget } from '../edit/save/save-edit.ts'
import { changeView } from './change-view.ts'

const VIEW: View = {
  kind: 'View',
  id: 'a',
  href: '/views/a',
  name: 'north',
  generation: 1,
  spec: { kind: 'Cluster', search: "name='a'" },
  labels: {},
  created_time: '',
  updated_time: '',
  created_by: '',
  updated_by: '',
  status: { conditions: [] },
}
const SPEC = { kind: 'Cluster', search: "name='b'" }
const OTHERS = { ...VIEW, spec: { kind: 'Cluster', search: "name='c'" } }

/** A view on a server. Reports change its tag before each of the first attempts to change it. */
function stored(view: View, reports = 0) {
  let current = view
  let version = 1
  const tags: string[] = []
  const target: EditTarget<View> = {
    read: () => Promise.resolve({ resource: current, tag: `"a.${version}"` }),
    patch: (body, tag) => {
      tags.push(tag)
      if (version <= reports) version += 1
      if (tag !== `"a.${version}"`) return Promise.reject(createApiError(CHANGED))
      current = { ...current, ...body }
      return Promise.resolve(current)
    },
  }
  return { target, tags, viewNow: () => current }
}

const CHANGED = {
  status: 412,
  code: '',
  message: 'changed',
  requestId: null,
  errors: [],
  retryAfter: null,
}

test('changes the spec of a view with the tag of its version', async () => {
  const { target, tags } = stored(VIEW)
  const saved = await changeView({ base: VIEW, spec: SPEC, onConflict: () => undefined }, target)
  expect([saved.spec, tags]).toEqual([SPEC, ['"a.1"']])
})

test('changes a view whose alert changes meanwhile', async () => {
  const { target, tags } = stored(VIEW, 2)
  const saved = await changeView({ base: VIEW, spec: SPEC, onConflict: () => undefined }, target)
  expect([saved.spec, tags]).toEqual([SPEC, ['"a.1"', '"a.2"', '"a.3"']])
})

test('keeps the version of others, until the change is based on it', async () => {
  const { target, tags, viewNow } = stored(OTHERS)
  let base = VIEW
  const change = () =>
    changeView({ base, spec: SPEC, onConflict: (current) => (base = current) }, target)
  await expect(change()).rejects.toThrow('Others have changed north')
  expect([viewNow(), tags]).toEqual([OTHERS, []])
  expect((await change()).spec).toEqual(SPEC)
})
