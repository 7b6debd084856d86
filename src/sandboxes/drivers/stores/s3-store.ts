import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { Readable } from 'node:stream'
import { SandboxDriverError } from '../protocol/sandbox-driver-error.ts'
import { s3Failure } from './s3-failure.ts'
import { abortUploads, listUploads, type S3Location } from './s3-uploads.ts'
import type { Store, StoredObject } from './store.ts'

/** 10 000 parts, the maximum of S3, are 160 GB. */
const PART_BYTES = 16 * 1024 * 1024
const PARALLEL_PARTS = 3
/** Maximum of one DeleteObjects request. */
const DELETE_BATCH = 1000
const MISSING = new Set(['NoSuchKey', 'NotFound'])

/** A store in an S3 bucket. S3 shows an object only after its upload, so no renames are needed. */
export function openS3Store(client: S3Client, { bucket, prefix }: S3Location): Store {
  const keyOf = (key: string): string => `${prefix}${key}`
  return {
    isRemote: true,
    put: (key, content, signal) =>
      attempt(signal, () => put(client, { bucket, key: keyOf(key), content }, signal)),
    get: (key, signal) =>
      attemptRead(signal, async () => {
        const command = new GetObjectCommand({ Bucket: bucket, Key: keyOf(key) })
        const { Body } = await client.send(command, { abortSignal: signal })
        if (!(Body instanceof Readable)) throw new Error('S3 answered without content')
        return chunksOf(Body, signal)
      }),
    head: (key, signal) =>
      attemptRead(signal, async () => {
        const command = new HeadObjectCommand({ Bucket: bucket, Key: keyOf(key) })
        const found = await client.send(command, { abortSignal: signal })
        const modifiedMs = found.LastModified?.getTime() ?? 0
        return { key, bytes: found.ContentLength ?? 0, modifiedMs }
      }),
    list: (below, signal) => list(client, { bucket, prefix, below }, signal),
    delete: async (below, signal) => {
      await attempt(signal, () => abortUploads(client, { bucket, prefix: keyOf(below) }, signal))
      await attempt(signal, () => deleteBelow(client, { bucket, prefix: keyOf(below) }, signal))
    },
  }
}

async function attempt<T>(signal: AbortSignal, requests: () => Promise<T>): Promise<T> {
  try {
    return await requests()
  } catch (error) {
    throw s3Failure(error, signal)
  }
}

/** The result of requests; null if the object does not exist. */
function attemptRead<T>(signal: AbortSignal, requests: () => Promise<T>): Promise<T | null> {
  return attempt(signal, async () => {
    try {
      return await requests()
    } catch (error) {
      if (error instanceof S3ServiceException && MISSING.has(error.name)) return null
      throw error
    }
  })
}

interface NewObject {
  readonly bucket: string
  readonly key: string
  readonly content: AsyncIterable<Buffer>
}

async function put(
  client: S3Client,
  { bucket, key, content }: NewObject,
  signal: AbortSignal,
): Promise<number> {
  let bytes = 0
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of content) {
      bytes += chunk.length
      yield chunk
    }
  }
  const upload = new Upload({
    client,
    params: { Bucket: bucket, Key: key, Body: Readable.from(counted(), { objectMode: false }) },
    partSize: PART_BYTES,
    queueSize: PARALLEL_PARTS,
  })
  const abort = (): void => void upload.abort()
  signal.addEventListener('abort', abort, { once: true })
  try {
    signal.throwIfAborted()
    await upload.done()
    return bytes
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

async function* chunksOf(body: Readable, signal: AbortSignal): AsyncGenerator<Buffer> {
  const abort = (): void => void body.destroy()
  signal.addEventListener('abort', abort, { once: true })
  try {
    for await (const chunk of body) yield chunk
    signal.throwIfAborted()
  } catch (error) {
    throw s3Failure(error, signal)
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

async function* list(
  client: S3Client,
  { bucket, prefix, below }: S3Location & { readonly below: string },
  signal: AbortSignal,
): AsyncGenerator<StoredObject> {
  const relative = (key: string): string => key.slice(prefix.length)
  try {
    const pages = paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: `${prefix}${below}` })
    for await (const { Contents = [] } of pages) {
      signal.throwIfAborted()
      for (const { Key = '', Size = 0, LastModified } of Contents) {
        yield { key: relative(Key), bytes: Size, modifiedMs: LastModified?.getTime() ?? 0 }
      }
    }
    const uploads = listUploads(client, { bucket, prefix: `${prefix}${below}` }, signal)
    for await (const { key, startedMs } of uploads) {
      yield { key: `${relative(key)}.partial`, bytes: 0, modifiedMs: startedMs }
    }
  } catch (error) {
    throw s3Failure(error, signal)
  }
}

async function deleteBelow(
  client: S3Client,
  { bucket, prefix }: S3Location,
  signal: AbortSignal,
): Promise<void> {
  const input = { Bucket: bucket, Prefix: prefix, MaxKeys: DELETE_BATCH }
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, input)) {
    const keys = Contents.flatMap(({ Key }) => (Key === undefined ? [] : [{ Key }]))
    if (keys.length === 0) continue
    const command = new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects: keys } })
    const { Errors = [] } = await client.send(command, { abortSignal: signal })
    const [failed] = Errors
    if (failed) {
      throw new SandboxDriverError('INTERNAL', `S3 cannot delete ${failed.Key}: ${failed.Message}`)
    }
  }
}
