import {
  AbortMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandInput,
  type ListMultipartUploadsCommandOutput,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'

/** The bucket of a store, and the prefix of its keys: empty or ending with `/`. */
export interface S3Location {
  readonly bucket: string
  readonly prefix: string
}

/** A multipart upload that a killed process has left. */
interface UnfinishedUpload {
  readonly key: string
  readonly id: string
  readonly startedMs: number
}

/** Lists unfinished multipart uploads, which lists of objects lack but which occupy space. */
export async function* listUploads(
  client: S3Client,
  { bucket, prefix }: S3Location,
  signal: AbortSignal,
): AsyncGenerator<UnfinishedUpload> {
  let after: { KeyMarker?: string; UploadIdMarker?: string } = {}
  for (;;) {
    const page = await readPage(client, { Bucket: bucket, Prefix: prefix, ...after }, signal)
    if (!page) return
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      if (Key === undefined || UploadId === undefined || !Key.startsWith(prefix)) continue
      yield { key: Key, id: UploadId, startedMs: Initiated?.getTime() ?? 0 }
    }
    if (!page.IsTruncated || !page.NextKeyMarker) return
    after = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker ?? '' }
  }
}

/** A page of uploads; null if the server, unlike S3, cannot list them. */
async function readPage(
  client: S3Client,
  input: ListMultipartUploadsCommandInput,
  signal: AbortSignal,
): Promise<ListMultipartUploadsCommandOutput | null> {
  try {
    return await client.send(new ListMultipartUploadsCommand(input), { abortSignal: signal })
  } catch (error) {
    if (error instanceof S3ServiceException && error.name === 'NotImplemented') return null
    throw error
  }
}

/** Removes the parts of unfinished uploads. */
export async function abortUploads(
  client: S3Client,
  location: S3Location,
  signal: AbortSignal,
): Promise<void> {
  for await (const { key, id } of listUploads(client, location, signal)) {
    const input = { Bucket: location.bucket, Key: key, UploadId: id }
    await client.send(new AbortMultipartUploadCommand(input), { abortSignal: signal })
  }
}
