import { expect, test } from 'vitest'
import { requestPath } from './request-path.ts'

test.each([
  ['/clusters', '/clusters'],
  ['/clusters?search=a/b?c', '/clusters'],
  ['/a%3Fb#c', '/a%3Fb'],
  ['//a', '//a'],
  ['http://host:80/clusters?x=1', '/clusters'],
  ['http://host', '/'],
  ['http://host?x', '/'],
  ['*', '*'],
  ['', '/'],
])('the path of %j is %j', (target, path) => {
  expect(requestPath(target)).toBe(path)
})
