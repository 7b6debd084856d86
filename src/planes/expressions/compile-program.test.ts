import { describe, expect, it } from 'vitest'
import { compileText } from '../../lib/cel/language.ts'
import { createSlice, Pause, renewSlice } from '../../lib/cel/run/meter.ts'
import { errorMessage } from '../../lib/error-message.ts'
import type { JsonObject } from '../../lib/json/json.ts'
import { celValueOfJson } from './cel-value.ts'
import { compileProgram, ProgramError } from './compile-program.ts'
import { createEvaluationBudget } from './evaluation-budget.ts'
import { createLanguage } from './language.ts'

const LANGUAGE = createLanguage({ self: 'dyn', oldSelf: 'dyn' })

function evaluate(text: string, self: JsonObject = {}, steps = 100_000): Promise<unknown> {
  const program = compileProgram(LANGUAGE, text)
  return program.evaluate({ self: celValueOfJson(self) }, createEvaluationBudget(steps))
}

/** Evaluates with pauses after this many steps. */
function evaluateWithPauses(text: string, self: JsonObject, limit: number) {
  const slice = createSlice(limit)
  let steps = 0
  let repeated = 0
  const spend = (count: number): void => {
    if (slice.isRepeating) {
      slice.repeatedSteps += count
      repeated += count
    } else {
      slice.steps += count
      steps += count
    }
  }
  const pauses: number[] = []
  const run = compileText(LANGUAGE, text).start({ self: celValueOfJson(self) }, { spend, slice })
  for (;;) {
    try {
      return { value: run(), steps, pauses, repeated }
    } catch (error) {
      if (!(error instanceof Pause)) return { error: errorMessage(error), steps, pauses, repeated }
      pauses.push(slice.steps)
      renewSlice(slice)
    }
  }
}

/** A map with this many keys. */
function keysOf(count: number): JsonObject {
  return Object.fromEntries(Array.from({ length: count }, (_item, index) => [`key${index}`, 1]))
}

// No collection in `nested` is large.
const LARGE: JsonObject = {
  text: 'a'.repeat(20_000),
  percent: '%%'.repeat(10_000),
  list: [...Array.from({ length: 19_999 }, () => 'item1'), 'item0'],
  map: keysOf(20_000),
  again: keysOf(20_000),
  nested: Array.from({ length: 200 }, () => keysOf(100)),
  nestedAgain: Array.from({ length: 200 }, () => keysOf(100)),
  small: keysOf(100),
  smallAgain: keysOf(100),
}

describe('CEL programs', () => {
  const self = {
    replicas: 3,
    ratio: 1.5,
    names: ['a', 'b'],
    numbers: [3, 1, 2],
    labels: { app: 'x' },
    text: 'hello',
    none: null,
    rules: [{ matches: [1] }, {}],
  }

  it.each([
    'self.replicas > 2 && self.ratio < 2.0',
    'has(self.labels.app) && !has(self.labels.other)',
    'self.names.all(n, n.size() == 1) && self.names.exists(n, n == "b")',
    'self.names.existsOne(n, n == "a")',
    'self.names.map(n, n + "1") == ["a1", "b1"]',
    'self.names.filter(n, n != "a").size() == 1',
    'self.numbers.sum() == 6 && self.numbers.min() == 1 && self.numbers.max() == 3',
    '!self.numbers.isSorted() && self.names.isSorted()',
    'self.names.indexOf("b") == 1 && self.names.lastIndexOf("c") == -1',
    'self.text.matches("^h[a-z]+$") && !self.text.matches("^x")',
    'self.text.find("l+") == "ll" && self.text.findAll("l") == ["l", "l"]',
    'self.text.replace("l", "L", 1) == "heLlo" && self.text.charAt(1) == "e"',
    '"%s has %d of %.2f".format([self.text, self.replicas, self.ratio]) == "hello has 3 of 1.50"',
    'self.?labels.?app.orValue("y") == "x" && self.?missing.orValue("y") == "y"',
    'self.none == null && self.text != null && self.replicas != "3"',
    'quantity("1.5Gi").isGreaterThan(quantity("1500M")) && quantity("1000m") == quantity("1")',
    'isQuantity("10Ki") && !isQuantity("10Kib")',
    'url("https://example.com:80/a?b=c").getPort() == "80" && !isURL("../a")',
    'url("https://example.com:8443/a").getHost() == "example.com:8443"',
    'ip("10.1.2.3").family() == 4 && ip("::1").isLoopback() && !isIP("10.0.0.256")',
    'cidr("10.0.0.0/8").containsIP("10.1.2.3") && !cidr("10.0.0.0/8").containsCIDR("11.0.0.0/16")',
    'semver("1.2.3").isLessThan(semver("1.10.0")) && semver("1.0.0-rc.1").isLessThan(semver("1.0.0"))',
    'sets.contains(self.names, ["a"]) && sets.equivalent([1, 2], [2, 1, 1])',
    'duration("1h") > duration("30m") && timestamp("2026-01-01T00:00:00Z").getFullYear() == 2026',
    '(self.names) == (self.names) && (self.replicas + 1) * 2 == 8',
    'self.labels.all(k, k.startsWith("a"))',
    'has(self.rules[0].matches) && !has(self.rules[1].matches)',
    '!has(self.rules.filter(r, r.size() == 0)[0].matches)',
    '(self.replicas > 0 ? (has(self.rules[0].matches) ? 1 : 0) : 0) + (self.replicas > 5 ? 1 : 0) + (1) == 2',
    '((self.replicas) + (self.replicas)) + (1 + (self.replicas)) == (10)',
    '("a)" + self.text) == "a)" + (self.text) && (("(")) + self.text != r"\\("',
    '(self.names).exists(n, (n) == ("a")) && (self.labels.app) in (self.names + ["x"])',
    'self.?text.optMap(t, t + "!").orValue("") == "hello!" && !self.?gone.optMap(t, t).hasValue()',
    'self.?labels.optFlatMap(l, l.?app).value() == "x"',
    'self.numbers.all(i, n, n > i - 2) && self.labels.exists(k, v, k == "app" && v == "x")',
    'self.names.transformList(i, n, n + string(i)) == ["a0", "b1"]',
    'self.labels.transformMap(k, v, v + k) == {"app": "xapp"}',
    'self.labels.transformMapEntry(k, v, {v: k}) == {"x": "app"}',
    'lists.range(4).slice(1, 3) == [1, 2] && self.numbers.sort() == [1, 2, 3]',
    'self.numbers.sort().reverse() == [3, 2, 1] && [1, 1, 2].distinct() == [1, 2]',
    '!format.dns1123Label().validate("a-b").hasValue() && format.named("uuid").value().validate("x").hasValue()',
    'format.dns1035Label().validate("1a").value()[0].startsWith("a DNS-1035 label must")',
    '9223372036854775807 > 9223372036854775806 && uint("18446744073709551615") == 18446744073709551615u',
    'string(ip("2001:db8::0:1")) == "2001:db8::1" && ip.isCanonical("::1")',
    'semver("v1.2", true).minor() == 2 && quantity("1").add(2) == quantity("3")',
    '(1 / 0 > 0 || true) && !(1 / 0 > 0 && false) && [1, 0].exists(x, 1 / x == 1)',
    'type(self.replicas) == int && type(self.ratio) == double',
    'self.?names.optMap(x, x.map(n, n + "!")).optMap(x, x.all(n, x.exists(m, m == n))).value()',
    'self.numbers.map(n, self.numbers.filter(m, m < n).map(m, m + n)).map(l, l.size()).sum() == 3',
    'self.names.exists(n, self.numbers.all(i, 1 / (i - 1) > 0 || n == "b"))',
  ])('R36: evaluates %s, also with pauses', async (text) => {
    expect(await evaluate(text, self)).toBe(true)
    const whole = evaluateWithPauses(text, self, Infinity)
    const { value, steps } = evaluateWithPauses(text, self, 1)
    expect({ value, steps }).toEqual({ value: true, steps: whole.steps })
  })

  it('R36: an error after a pause is the same', () => {
    const text = 'self.numbers.all(a, self.numbers.all(b, self.numbers[a + b] >= 0))'
    const { error, steps } = evaluateWithPauses(text, self, Infinity)
    expect(error).toContain('index out of bounds')
    expect(evaluateWithPauses(text, self, 1)).toMatchObject({ error, steps })
  })

  it('R36: pauses within a loop once for each slice', () => {
    const text = 'self.l.all(a, self.l.map(b, [a, b]).filter(p, p[0] > p[1]).all(p, p[1] >= 0))'
    const l = Array.from({ length: 60 }, (_item, index) => index)
    const { value, steps, pauses } = evaluateWithPauses(text, { l }, 10_000)
    expect(value).toBe(true)
    expect(pauses).toHaveLength(Math.floor(steps / 10_000))
    expect(Math.max(...pauses)).toBeLessThan(10_050)
  })

  it.each([
    'lists.range(100000).size() == 100000',
    'lists.range(20000).sum() == 199990000',
    'lists.range(20000).min() == 0 && lists.range(20000).isSorted()',
    'lists.range(20000).indexOf(-1) == lists.range(20000).lastIndexOf(-1)',
    'lists.range(5000).map(a, -a).sort()[0] == -4999',
    'lists.range(300).distinct().size() == 300',
    'sets.contains(lists.range(300), lists.range(300))',
    'sets.equivalent(lists.range(300), lists.range(300))',
    '!sets.intersects(lists.range(300), [-1])',
    'self.text.findAll("a").size() == 500',
    'lists.range(20).all(a, lists.range(2000).max() == 1999)',
  ])('R36: pauses within the call %s', (expression) => {
    const text = 'a'.repeat(500)
    // The first evaluation compiles patterns, which are then cached.
    evaluateWithPauses(expression, { text }, Infinity)
    const whole = evaluateWithPauses(expression, { text }, Infinity)
    const { value, steps, pauses } = evaluateWithPauses(expression, { text }, 5000)
    expect({ value, steps }).toEqual({ value: true, steps: whole.steps })
    expect(pauses.length).toBeGreaterThanOrEqual(Math.floor(steps / 7000))
    expect(Math.max(...pauses)).toBeLessThan(7000)
  })

  it.each([
    ['self.text.split("").size() == 20000', 4],
    ['self.text.split("a").size() == 20001', 4],
    ['self.text.replace("", "").size() == 20000', 8],
    ['self.text.replace("a", "b").startsWith("b")', 8],
    ['self.list.join().size() == 100000', 8],
    ['"%s".format([self.list]).size() == 140000', 4],
    ['self.percent.format([]).size() == 10000', 4],
    ['strings.quote(self.text).size() == 20002', 2],
    ['[self.list, self.list].flatten().size() == 40000', 8],
    ['!("x" in self.list)', 4],
    ['self.map == self.again', 4],
    ['!(self.map != self.again)', 4],
    ['self.map in [1, self.again]', 4],
    ['[1, self.map].indexOf(self.again) == 1', 4],
    ['[self.map, self.again].distinct().size() == 1', 4],
    ['sets.equivalent([self.map], [self.again])', 8],
    ['self.nested == self.nestedAgain', 4],
    ['lists.range(200).all(a, self.small == self.smallAgain)', 3],
    ['self.nested.distinct().size() == 1', 3],
    ['optional.of(self.map) == optional.of(self.again)', 4],
    ['lists.range(9).all(a, !self.text.matches("b"))', 4],
    ['lists.range(9).all(a, self.text.find("b") == "")', 9],
    ['lists.range(9).all(a, self.text.findAll("b") == [])', 9],
    ['sets.contains(self.list, ["item0"])', 1],
    ['!self.text.contains("b") && !self.text.contains("c") && !self.text.contains("d")', 1],
  ])('R36: pauses within or between calls: %s', (expression, count) => {
    const fields = [...expression.matchAll(/self\.(\w+)/g)].map(([, name = '']) => name)
    const self = Object.fromEntries(fields.map((name) => [name, LARGE[name] ?? null]))
    // The first evaluation compiles patterns, which are then cached.
    evaluateWithPauses(expression, self, Infinity)
    const whole = evaluateWithPauses(expression, self, Infinity)
    const { value, steps, pauses } = evaluateWithPauses(expression, self, 5000)
    expect({ value, steps }).toEqual({ value: true, steps: whole.steps })
    expect(pauses.length).toBeGreaterThanOrEqual(count)
  })

  it('R36: counts what an iteration clears for the calls in its body', () => {
    const text = `self.l.all(a, true || [${'a + 1, '.repeat(1000)}a].size() > 0)`
    const l = Array.from({ length: 1000 }, () => 0)
    const { value, steps, pauses } = evaluateWithPauses(text, { l }, 1000)
    expect(value).toBe(true)
    expect(pauses.length).toBeGreaterThan(steps / 1000 + 8)
  })

  it('R36: does not repeat a long call that has ended', () => {
    const self = { text: 'a'.repeat(20_000) }
    const text = 'self.text.contains("b") || self.text.contains("c") || self.text.size() > 0'
    // The first search takes 4000 steps, so that the second one pauses.
    const { repeated, pauses } = evaluateWithPauses(text, self, 5000)
    expect(pauses).toHaveLength(1)
    expect(repeated).toBeLessThan(100)
  })

  it('R36: trims a text with many inner spaces in linear time', async () => {
    const text = `a${' '.repeat(300_000)}a`
    expect(await evaluate('self.text.trim() == self.text', { text }, 1_000_000)).toBe(true)
  })

  it.each([
    'self.text.lastIndexOf(self.part) < 0',
    'self.text.replace(self.part, "") == self.text',
    'self.text.split(self.part).size() == 1',
    'self.text.matches("(a|b){400}z")',
    'self.text.find("(a|b){20}") == ""',
    'self.text.findAll("(a|b){20}", 1).size() == 1',
    'isURL(self.long)',
    'url(self.long).getPort() == ""',
    'jsonpatch.escapeKey(self.long) == self.long',
  ])('R36: a call that cannot pause has a limit: %s', async (expression) => {
    const long = `/${'a'.repeat(250_000)}`
    const self = { text: 'a'.repeat(100_000), part: `${'a'.repeat(1000)}b`, long }
    await expect(evaluate(expression, self, 100_000_000)).rejects.toThrow(
      /call cost limit exceeded: one call would take \d+ steps, more than 250000/,
    )
  })

  it.each([
    '!isIP(self.text)',
    '!ip.isCanonical(self.text)',
    '!isCIDR(self.text)',
    '!cidr("10.0.0.0/8").containsIP(self.text)',
    '!cidr("10.0.0.0/8").containsCIDR(self.text)',
    '!isQuantity(self.text)',
    'quantity(self.text).isInteger()',
    '!isSemver(self.text)',
    '!isSemver(self.text, true)',
    'semver(self.text).major() == 1',
    'isURL("/" + self.text)',
    'url("/" + self.text).getQuery() == {}',
    'jsonpatch.escapeKey(self.text) == self.text',
  ])('R36: the text of a call is charged: %s', (expression) => {
    const { steps } = evaluateWithPauses(expression, { text: 'a'.repeat(10_000) }, Infinity)
    expect(steps).toBeGreaterThanOrEqual(1000)
  })

  it.each([
    ['self.text.size() > 0', 100],
    ['size(self.text) > 0', 100],
    ['self.list.join() == ""', 1000],
  ])('R36: %s is charged at least %i steps', (expression, least) => {
    const self = { text: 'a'.repeat(10_000), list: Array.from({ length: 10_000 }, () => '') }
    expect(evaluateWithPauses(expression, self, Infinity).steps).toBeGreaterThanOrEqual(least)
  })

  it.each(['getHost', 'getEscapedPath', 'getQuery'])('R36: %s is charged again', (name) => {
    const self = { text: `/${'a'.repeat(9999)}` }
    const { steps } = evaluateWithPauses(`url(self.text).${name}().size() < 0`, self, Infinity)
    expect(steps).toBeGreaterThanOrEqual(20_000)
  })

  it('R36: groups the parameters of a URL in linear time', async () => {
    const text = `/?a=1&${Array.from({ length: 30_000 }, (_item, index) => `p${index}`).join('&')}&a=2`
    const rule = 'url(self.text).getQuery()["a"] == ["1", "2"]'
    expect(await evaluate(rule, { text }, 1_000_000)).toBe(true)
  })

  it('R36: the time of repeated steps is at most that of new ones', () => {
    const text = `[${'[], '.repeat(30)}self.l.all(a, a >= 0)].size() == 31`
    const l = Array.from({ length: 2000 }, (_item, index) => index)
    const { value, steps, pauses } = evaluateWithPauses(text, { l }, 10)
    expect({ value, steps }).toEqual({ value: true, steps: expect.any(Number) })
    expect(Math.min(...pauses)).toBeGreaterThan(200)
  })

  it('R36: rejects expressions that do not compile, with the position', () => {
    expect(() => compileProgram(LANGUAGE, 'self.a >')).toThrow(ProgramError)
    expect(() => compileProgram(LANGUAGE, 'other.a')).toThrow(
      "ERROR: <input>:1:1: undeclared reference to 'other'",
    )
    expect(() => compileProgram(LANGUAGE, '"a"', ['bool'])).toThrow('must evaluate to bool')
    expect(() => compileProgram(LANGUAGE, 'a'.repeat(20_000))).toThrow('at most')
  })

  it.each([
    ['nested loops', 'self.l.all(a, self.l.all(b, self.l.all(c, a + b + c >= 0)))'],
    ['comparisons of shared lists', 'self.l.map(a, self.l + [a]) == self.l.map(b, self.l + [b])'],
    ['long texts', 'self.l.map(a, self.s).join().size() > 0'],
    ['replacements', 'self.s.replace("a", self.s).size() > 0'],
    ['searches', 'self.s.findAll("a.*b|a").size() > 0'],
    ['patterns', 'self.s.matches("^(a|b)*a(a|b){900}$")'],
    ['swallowed errors', 'self.l.exists(a, self.l.all(b, self.l.all(c, c >= 0) || true)) || true'],
  ])('R36: stops %s when the budget is used up', async (_name, text) => {
    const l = Array.from({ length: 1000 }, (_item, index) => index)
    const s = 'a'.repeat(100_000)
    await expect(evaluate(text, { l, s })).rejects.toThrow('cost limit exceeded')
  })
})
