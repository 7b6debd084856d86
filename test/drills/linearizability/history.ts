/**
 * One call on a register: an object that exists with a value, or not. The value and the expected one
 * are empty if the object does not exist.
 */
export interface Operation {
  readonly client: number
  readonly key: string
  readonly kind: 'read' | 'create' | 'swap' | 'remove'
  /** The value that was read, or that the write leaves. */
  readonly value: string
  /** The value that a write requires. */
  readonly expected: string
  /** `no`: the condition of a write did not hold. `unknown`: the connection broke. */
  readonly outcome: 'ok' | 'no' | 'unknown'
  /** Nanoseconds on the clock of this process. */
  readonly called: number
  readonly returned: number
}

/** A value that a client has read, with the tag that makes a write conditional. */
export interface Read {
  readonly value: string
  readonly id: string
  readonly tag: string
}

/** The objects of one API as registers. A write resolves with its outcome. */
export interface Registers {
  /** Null if the object does not exist; `unknown` without an answer. */
  read(key: string): Promise<Read | null | 'unknown'>
  create(key: string, value: string): Promise<Operation['outcome']>
  /** Replaces the value that was read. */
  swap(key: string, read: Read, value: string): Promise<Operation['outcome']>
  /** Removes the object if it still has the value that was read. */
  remove(key: string, read: Read): Promise<Operation['outcome']>
}

const now = (): number => Math.round(performance.now() * 1e6)

/** Records the calls of clients. */
export class History {
  readonly operations: Operation[] = []

  /** Reads a register. A read without an answer says nothing and is left out. */
  async read(client: number, key: string, registers: Registers): Promise<Read | null | 'unknown'> {
    const called = now()
    const read = await registers.read(key)
    if (read === 'unknown') return read
    const value = read?.value ?? ''
    const call = { client, key, kind: 'read', value, expected: '', outcome: 'ok' } as const
    this.operations.push({ ...call, called, returned: now() })
    return read
  }

  /** Runs a write and records its outcome. */
  async write(
    call: Pick<Operation, 'client' | 'key' | 'kind' | 'value' | 'expected'>,
    run: () => Promise<Operation['outcome']>,
  ): Promise<void> {
    const called = now()
    const outcome = await run()
    this.operations.push({ ...call, outcome, called, returned: now() })
  }
}
