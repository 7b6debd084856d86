import { expect, test } from 'vitest'
import { seccompFilter } from './filter.ts'
import { DENIED, type FilteredArchitecture, INSPECTED, numberOf } from './system-calls.ts'

const ARCHITECTURES = { x64: 0xc000_003e, arm64: 0xc000_00b7 } as const
const ALLOW = 0x7fff_0000
const KILL = 0x8000_0000
const errno = (code: number): number => 0x0005_0000 + code
const EPERM = errno(1)
const ENOSYS = errno(38)
const NEW_USER = 0x1000_0000

interface Call {
  readonly number: number
  readonly parameters?: readonly number[]
  readonly architecture?: number
}

/** Runs a filter as the kernel does: an interpreter of the instructions that filters use. */
function run(architecture: FilteredArchitecture, call: Call): number {
  const filter = Buffer.from(seccompFilter(architecture))
  const data = Buffer.alloc(64)
  data.writeUInt32LE(call.number, 0)
  data.writeUInt32LE(call.architecture ?? ARCHITECTURES[architecture], 4)
  for (const [index, value] of (call.parameters ?? []).entries()) {
    data.writeUInt32LE(value, 16 + 8 * index)
  }
  let accumulator = 0
  for (let at = 0; ; at += 8) {
    const operand = filter.readUInt32LE(at + 4)
    const jump = (isTrue: boolean): void => void (at += 8 * filter.readUInt8(at + (isTrue ? 2 : 3)))
    switch (filter.readUInt16LE(at)) {
      case 0x20:
        accumulator = data.readUInt32LE(operand)
        break
      case 0x15:
        jump(accumulator === operand)
        break
      case 0x35:
        jump(accumulator >= operand)
        break
      case 0x45:
        jump((accumulator & operand) !== 0)
        break
      case 0x06:
        return operand
      default:
        throw new Error('an instruction that no filter uses')
    }
  }
}

const EACH = ['x64', 'arm64'] as const

test.each(EACH)('denies the listed calls on %s, and no others', (architecture) => {
  const denied = new Set(Object.values(DENIED).map((each) => numberOf(each, architecture)))
  const inspected = new Set(Object.values(INSPECTED).map((each) => numberOf(each, architecture)))
  for (let number = 0; number < 600; number += 1) {
    if (inspected.has(number)) continue
    expect.soft(run(architecture, { number }), `${number}`).toBe(denied.has(number) ? EPERM : ALLOW)
  }
})

test.each(EACH)('denies new namespaces on %s, and allows processes and threads', (architecture) => {
  const call = (name: keyof typeof INSPECTED, ...parameters: readonly number[]) =>
    run(architecture, { number: numberOf(INSPECTED[name], architecture) ?? 0, parameters })
  const threads = 0x0001_0f00
  expect(call('clone', 17)).toBe(ALLOW)
  expect(call('clone', threads)).toBe(ALLOW)
  expect(call('clone', NEW_USER + 17)).toBe(EPERM)
  expect(call('unshare', NEW_USER)).toBe(EPERM)
  expect(call('unshare', 0x400)).toBe(ALLOW)
  expect(call('clone3')).toBe(ENOSYS)
  expect(call('ioctl', 0, 0x5401)).toBe(ALLOW)
  expect(call('ioctl', 0, 0x5412)).toBe(EPERM)
  for (const name of ['socket', 'socketpair'] as const) {
    expect([1, 2, 10, 16].map((family) => call(name, family))).toEqual(Array(4).fill(ALLOW))
    expect([17, 38, 40].map((family) => call(name, family))).toEqual(Array(3).fill(errno(97)))
  }
})

test('ends programs of other architectures, which would have other numbers', () => {
  expect(run('x64', { number: 1, architecture: 0x4000_0003 })).toBe(KILL)
  expect(run('arm64', { number: 1, architecture: ARCHITECTURES.x64 })).toBe(KILL)
  expect(run('x64', { number: 0x4000_0000 + 165 })).toBe(ENOSYS)
})
