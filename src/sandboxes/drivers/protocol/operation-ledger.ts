import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import {
  type DescMessage,
  type DescMethodUnary,
  fromBinary,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf'
import { type Clock, errorCode } from 'flotilla'
import { argumentsDigest } from './arguments-digest.ts'
import { SandboxDriverError } from './sandbox-driver-error.ts'
import { writeDurably } from './write-durably.ts'

interface LedgerOptions {
  /** Created if it does not exist. Only one ledger may use it. */
  readonly directory: string
  readonly clock: Clock
}

/** The request of a call that changes something. */
interface Operation<I extends DescMessage, O extends DescMessage> {
  readonly method: DescMethodUnary<I, O>
  readonly operationId: string
  readonly request: MessageShape<I>
}

/**
 * Makes calls idempotent. The results of an operation ID are stored per method, so that the calls of
 * one operation may share its ID.
 */
export interface OperationLedger {
  /**
   * Performs the effect and stores its response durably before it returns it. If the operation has
   * already succeeded with the same arguments, returns the stored response. Throws ALREADY_EXISTS if
   * the arguments differ, and ABORTED while the operation runs. A failed effect is not stored:
   * the next call performs it again, so a failed effect must leave nothing behind. Without an
   * operation ID, always performs the effect.
   */
  run<I extends DescMessage, O extends DescMessage>(
    operation: Operation<I, O>,
    effect: () => Promise<MessageShape<O>>,
  ): Promise<MessageShape<O>>
}

interface StoredResult {
  readonly operationId: string
  readonly method: string
  readonly argumentsDigest: string
  readonly finishedUnixMs: number
  /** The response, serialized and in base64. */
  readonly response: string
}

const DAY_MS = 86_400_000
const RETENTION_MS = 7 * DAY_MS
const PRUNE_INTERVAL_MS = 3_600_000
const OWNER_ONLY = 0o700

/** Opens the ledger of a driver or runtime: one file per operation and method. */
export async function openOperationLedger(options: LedgerOptions): Promise<OperationLedger> {
  const { directory, clock } = options
  await mkdir(directory, { recursive: true, mode: OWNER_ONLY })
  const running = new Set<string>()
  let pruned = Number.NEGATIVE_INFINITY

  async function pruneIfDue(): Promise<void> {
    const now = clock().getTime()
    if (now - pruned < PRUNE_INTERVAL_MS) return
    pruned = now
    await prune(directory, now - RETENTION_MS)
  }

  await pruneIfDue()
  return {
    async run({ method, operationId, request }, effect) {
      if (operationId === '') return await effect()
      const file = path.join(directory, fileName(method.name, operationId))
      if (running.has(file)) {
        throw new SandboxDriverError('ABORTED', `operation ${operationId} is still running`)
      }
      running.add(file)
      try {
        await pruneIfDue()
        const digest = argumentsDigest(method.input, request)
        const stored = await readResult(file)
        if (stored !== null) return storedResponse(stored, digest, method.output)
        const response = await effect()
        const result: StoredResult = {
          operationId,
          method: method.name,
          argumentsDigest: digest,
          finishedUnixMs: clock().getTime(),
          response: Buffer.from(toBinary(method.output, response)).toString('base64'),
        }
        await writeDurably(file, JSON.stringify(result))
        return response
      } finally {
        running.delete(file)
      }
    },
  }
}

/** Operation IDs are not file names: they may contain any character. */
function fileName(method: string, operationId: string): string {
  return `${createHash('sha256').update(`${method}\0${operationId}`).digest('hex')}.json`
}

function storedResponse<O extends DescMessage>(
  stored: StoredResult,
  digest: string,
  output: O,
): MessageShape<O> {
  if (stored.argumentsDigest !== digest) {
    throw new SandboxDriverError(
      'ALREADY_EXISTS',
      `operation ${stored.operationId} has run ${stored.method} with other arguments`,
    )
  }
  return fromBinary(output, Buffer.from(stored.response, 'base64'))
}

async function readResult(file: string): Promise<StoredResult | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return null
    throw new SandboxDriverError('INTERNAL', `cannot read the stored result in ${file}`, { cause })
  }
}

async function prune(directory: string, before: number): Promise<void> {
  for (const name of await readdir(directory)) {
    const file = path.join(directory, name)
    const expired = name.endsWith('.json') && (await finishedBefore(file, before))
    if (expired || name.endsWith('.partial')) await rm(file, { force: true })
  }
}

async function finishedBefore(file: string, before: number): Promise<boolean> {
  const result = await readResult(file).catch(() => null)
  return result !== null && result.finishedUnixMs < before
}
