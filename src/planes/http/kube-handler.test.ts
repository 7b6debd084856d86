import { expect, test } from 'vitest'
import { auditedPath } from './kube-handler.ts'

const MAPS = {
  group: '',
  version: 'v1',
  plural: 'configmaps',
  namespace: 'default',
  name: '',
  subresource: '',
}

test.each([
  ['watch=true&watch=false', 'watch'],
  ['watch=false&watch=true', 'list'],
  ['watch=True', 'watch'],
  ['watch=', 'watch'],
  ['watch=yes', 'watch'],
  ['watch=%74rue', 'watch'],
  ['watch=0', 'list'],
])('the audited verb of ?%s is what is served: %s', (query, verb) => {
  expect(auditedPath('GET', MAPS, new URLSearchParams(query)).verb).toBe(verb)
})

test.each([
  ['dryRun=All', true],
  ['dryRun=&dryRun=%41ll', true],
  ['', false],
])('the audited dry run of ?%s: %s', (query, dryRun) => {
  expect(auditedPath('POST', MAPS, new URLSearchParams(query)).dryRun).toBe(dryRun)
})
