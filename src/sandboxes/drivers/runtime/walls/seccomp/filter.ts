import { DENIED, type FilteredArchitecture, INSPECTED, numberOf } from './system-calls.ts'

/** An instruction of classic BPF: operation, jumps if true and if false, operand. */
type Instruction = readonly [code: number, jumpTrue: number, jumpFalse: number, operand: number]

const INSTRUCTION_BYTES = 8

const LOAD = 0x20
const JUMP_IF_EQUAL = 0x15
const JUMP_IF_AT_LEAST = 0x35
const JUMP_IF_ANY_BIT = 0x45
const RETURN = 0x06

const ALLOW = 0x7fff_0000
const KILL_PROCESS = 0x8000_0000
const ERRNO = 0x0005_0000
const EPERM = 1
const ENOSYS = 38
const EAFNOSUPPORT = 97

/** Offsets in `struct seccomp_data`. Arguments have 64 bits; the lower half comes first. */
const NUMBER = 0
const ARCHITECTURE = 4
const argument = (index: number): number => 16 + 8 * index

const AUDIT_ARCHITECTURES = { x64: 0xc000_003e, arm64: 0xc000_00b7 } as const
/** Numbers from here on belong to the x32 ABI, which would bypass the list. */
const X32 = 0x4000_0000

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const NEW_NAMESPACES = 0x7e02_0000
/** They write to the input of a terminal, which may belong to a process outside. */
const TERMINAL_INPUT = [0x5412, 0x541c]
/** Unix, IPv4, IPv6, netlink. Others are rarely used and have had many errors. */
const ADDRESS_FAMILIES = [1, 2, 10, 16]

const deny = (errno: number): Instruction => [RETURN, 0, 0, ERRNO | errno]

/**
 * A seccomp filter as the kernel expects it: instructions of classic BPF. It denies new namespaces
 * and the calls of {@link DENIED} with EPERM. `setns` stays: a workload has no descriptor of another
 * namespace, and commands beside it enter its namespaces under the same filter.
 */
export function seccompFilter(architecture: FilteredArchitecture): Uint8Array {
  return encode([
    [LOAD, 0, 0, ARCHITECTURE],
    [JUMP_IF_EQUAL, 1, 0, AUDIT_ARCHITECTURES[architecture]],
    [RETURN, 0, 0, KILL_PROCESS],
    [LOAD, 0, 0, NUMBER],
    ...(architecture === 'x64' ? [skipUnless(JUMP_IF_AT_LEAST, X32, 1), deny(ENOSYS)] : []),
    // Its flags are in memory, which a filter cannot read. Programs then use clone.
    ...whenCalled(INSPECTED.clone3, [deny(ENOSYS)]),
    ...whenCalled(INSPECTED.clone, denyNewNamespaces()),
    ...whenCalled(INSPECTED.unshare, denyNewNamespaces()),
    ...whenCalled(INSPECTED.ioctl, [
      [LOAD, 0, 0, argument(1)],
      ...TERMINAL_INPUT.flatMap((request) => [skipUnless(JUMP_IF_EQUAL, request, 1), deny(EPERM)]),
      [RETURN, 0, 0, ALLOW],
    ]),
    ...whenCalled(INSPECTED.socket, denyRareFamilies()),
    // The kernel creates the sockets before it finds out that a family has no pairs.
    ...whenCalled(INSPECTED.socketpair, denyRareFamilies()),
    ...Object.values(DENIED).flatMap((numbers) => whenCalled(numbers, [deny(EPERM)])),
    [RETURN, 0, 0, ALLOW],
  ])

  /** Runs the instructions, which end in a return, if this call is made. */
  function whenCalled(
    numbers: Parameters<typeof numberOf>[0],
    instructions: readonly Instruction[],
  ): readonly Instruction[] {
    const number = numberOf(numbers, architecture)
    if (number === null) return []
    return [skipUnless(JUMP_IF_EQUAL, number, instructions.length), ...instructions]
  }
}

function skipUnless(jump: number, operand: number, count: number): Instruction {
  return [jump, 0, count, operand]
}

function denyNewNamespaces(): readonly Instruction[] {
  return [
    [LOAD, 0, 0, argument(0)],
    skipUnless(JUMP_IF_ANY_BIT, NEW_NAMESPACES, 1),
    deny(EPERM),
    [RETURN, 0, 0, ALLOW],
  ]
}

function denyRareFamilies(): readonly Instruction[] {
  return [
    [LOAD, 0, 0, argument(0)],
    ...ADDRESS_FAMILIES.flatMap((family): readonly Instruction[] => [
      skipUnless(JUMP_IF_EQUAL, family, 1),
      [RETURN, 0, 0, ALLOW],
    ]),
    deny(EAFNOSUPPORT),
  ]
}

function encode(instructions: readonly Instruction[]): Uint8Array {
  const bytes = Buffer.alloc(instructions.length * INSTRUCTION_BYTES)
  for (const [index, [code, jumpTrue, jumpFalse, operand]] of instructions.entries()) {
    const offset = index * INSTRUCTION_BYTES
    bytes.writeUInt16LE(code, offset)
    bytes.writeUInt8(jumpTrue, offset + 2)
    bytes.writeUInt8(jumpFalse, offset + 3)
    bytes.writeUInt32LE(operand, offset + 4)
  }
  return bytes
}
