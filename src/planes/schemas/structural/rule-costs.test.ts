import { describe, expect, it } from 'vitest'
import { estimateCost } from '../../../lib/cel/cost/estimate-cost.ts'
import { must } from '../../../lib/assert.ts'
import type { Schema } from '../../model/schema.ts'
import { checkRuleProgram } from '../rules/rule-language.ts'
import { schemaType } from '../rules/schema-type.ts'

/** The costs are those that kube-apiserver 1.35.0 computes for this schema. */
const SCHEMA: Schema = {
  type: 'object',
  properties: {
    n: { type: 'integer' },
    m: { type: 'integer' },
    r: { type: 'number' },
    s: { type: 'string' },
    t: { type: 'string', maxLength: 20 },
    e: { type: 'string', enum: ['a', 'bcd'] },
    l: { type: 'array', items: { type: 'string' } },
    lb: { type: 'array', maxItems: 10, items: { type: 'string', maxLength: 5 } },
    li: { type: 'array', items: { type: 'integer' } },
    lo: {
      type: 'array',
      maxItems: 30,
      items: {
        type: 'object',
        required: ['k'],
        properties: { k: { type: 'string' }, v: { type: 'integer' } },
      },
    },
    mp: { type: 'object', additionalProperties: { type: 'string' } },
    mb: {
      type: 'object',
      maxProperties: 4,
      additionalProperties: { type: 'string', maxLength: 9 },
    },
    p: { 'x-kubernetes-int-or-string': true },
    d: { type: 'string', format: 'duration' },
    dt: { type: 'string', format: 'date-time' },
    b: { type: 'string', format: 'byte' },
    o: {
      type: 'object',
      properties: { x: { type: 'object', properties: { y: { type: 'boolean' } } } },
    },
    'a-b': { type: 'string' },
  },
}

const SELF = must(schemaType(SCHEMA), 'the schema has a type')

describe('estimated costs of rules', () => {
  it.each([
    ['self.n > 0', 3],
    ['self.s == "abc"', 3],
    ['self.t == self.s', 12],
    ['self.t.startsWith("abc")', 3],
    ['self.s.matches("^[a-z]+$")', 629148],
    ['self.t.matches("^[a-z]+$")', 20],
    ['self.s.contains("x")', 314575],
    ['self.s.contains(self.t)', 2516588],
    ['self.l.all(x, x.size() > 1)', 6291453],
    ['self.lb.all(x, self.lb.exists_one(y, x == y))', 673],
    ['self.li.all(x, x > 0)', 7864318],
    ['self.lo.exists(x, x.k == "a" && x.v > 2)', 303],
    ['self.lo.map(x, x.k).size() == 3', 435],
    ['self.lo.filter(x, has(x.k)).all(y, y.v > 1)', 614],
    ['self.mp.all(k, self.mp[k] == "a")', 3145723],
    ['self.mb.all(k, k == "a" && self.mb[k].size() > 2)', 43],
    ['self.mb.all(k, v, k != v)', 23],
    ['self.mp.foo == "x"', 4],
    ['"a" in self.mb', 3],
    ['"a" in self.l', 1048577],
    ['self.p == 5 || self.p == "a"', 6],
    ['self.d < duration("1h")', 4],
    ['self.dt > timestamp("2020-01-01T00:00:00Z")', 4],
    ['self.b == b"abc"', 3],
    ['has(self.o.x.y) && self.o.x.y', 7],
    ['self.o.?x.?y.orValue(false)', 5],
    ['self.?t.orValue("").size() > 3', 5],
    ['self.a__dash__b != ""', 2],
    ['self.o == self.o', 4],
    ['self.n > 1.5', 3],
    ['self.r > 1', 3],
    ['self.s.split(",").all(x, x.size() > 0)', 19503505],
    ['self.s.replace("a", "bb").size() > 3', 629150],
    ['self.t.lowerAscii() == "a"', 11],
    ['self.lb.isSorted()', 32],
    ['self.li.sum() > 3', 1572866],
    ['self.l.indexOf("a") > 0', 329854432053],
    ['self.t.indexOf("a") > 0', 11],
    ['quantity(self.t).isLessThan(quantity("1Gi"))', 12],
    ['isIP(self.s) && ip(self.t).family() == 4', 314587],
    ['cidr(self.t).containsIP("10.0.0.1")', 15],
    ['url(self.s).getHost() == "a"', 314577],
    ['sets.contains(self.lb, ["a"])', 23],
    ['sets.equivalent(self.l, self.l)', 2199019061255],
    ['self.lb.sort() == self.lb', 226],
    ['self.lb.slice(0, 2).size() == 2', 17],
    ['lists.range(10).all(i, i < 10)', 72],
    ['self.lb.distinct().size() == 2', 215],
    ['!format.dns1123Label().validate(self.t).hasValue()', 261],
    ['semver(self.t).major() > 1', 12],
    ['self.n == oldSelf.n', 4],
    ['self.l.map(x, {"a": x}).all(y, y.a != "b")', 51380189],
    ['(self.n > 1 ? self.t : self.e) == "q"', 6],
    ['self.l.exists(x, x in self.lb)', 17825778],
    ['self.lb.all(i, x, i > 1 || x == "a")', 73],
    ['self.lb.transformList(i, x, x + "q").size() == 3', 175],
    ['self.mb.transformMap(k, v, v + k).size() > 1', 71],
    ['"%s and %d".format([self.s, self.n]) == "x"', 16],
    ['dyn(self.l) == dyn(self.lb)', 7],
    ['string(self.n) == self.s', 314578],
    ['int(self.t) > 3', 4],
    ['type(self.n) == int', 4],
    ['size(self.l) > 3', 4],
    ['self.lo[0].k == "a"', 5],
    ['self.l[0].contains(self.l[1])', 98956172335],
    ['self.lo.all(x, self.lo.exists_one(y, y.k == x.k))', 283121313],
    ['self.l.reverse()[0] == "a"', 1048589],
    ['self.t.find("[a-z]+") == "a"', 21],
    ['self.t.substring(1, 3) == "ab"', 11],
    ['self.lb.exists(x, x.trim() == "")', 73],
    ['1 / 0 == 1', 2],
    ['self.n in [1, 2, 3]', 15],
    ['{"a": 1}.a == 1', 31],
    ['[].size() == 0', 12],
    ['self.lb + self.l == self.l', 104865],
    ['self.s + self.t == "a"', 314586],
    ['true', 0],
    ['self.lo.map(x, x.v).sum() > 2', 464],
    ['self.lb.min() == "a"', 33],
    ['self.li.max() > 3', 1572866],
    ['self.s <= self.t', 12],
  ])('R36: are those of Kubernetes: %s', (rule, cost) => {
    const checked = checkRuleProgram(rule, SELF.type, false)
    expect(checked.type.kind).toBe('bool')
    expect(estimateCost(checked, { self: SELF, oldSelf: SELF }).max).toBe(cost)
  })

  it.each([
    'self.n + "a" == "b"',
    'self.zz == 1',
    'self.o.x == self.o',
    '[1, "a"].size() == 2',
    'self.n == 1.0',
    'self.n == 1u',
    'self.n >',
    'self.n = 3',
    'foo(self.n)',
    'self.s.nope()',
    '!self.n',
    'self.lb.flatten().size() > 0',
    'cel.bind(x, 1, x == 1)',
    'math.greatest(1, 2) == 2',
    'null == self.s',
  ])('R36: are preceded by types, as in Kubernetes: %s', (rule) => {
    expect(() => checkRuleProgram(rule, SELF.type, false)).toThrow('ERROR: <input>:1:')
  })
})
