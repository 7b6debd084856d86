import { SandboxDriverError } from '../protocol/sandbox-driver-error.ts'
import { localStoreDirectory } from './local-store-directory.ts'
import { openLocalStore } from './local-store.ts'
import type { Store } from './store.ts'
import { readStoreParameters, type StoreParameters } from './store-parameters.ts'

export interface OpenStoreOptions {
  readonly parameters: Readonly<Record<string, string>>
  /** Credentials of S3: `accessKeyId`, `secretAccessKey` and `sessionToken`. */
  readonly secrets: Readonly<Record<string, string>>
  /** The directories that a local store may use. */
  readonly roots: readonly string[]
}

/** Opens the store that the parameters of a backend select. */
export async function openStore({ parameters, secrets, roots }: OpenStoreOptions): Promise<Store> {
  const read = readStoreParameters(parameters, roots)
  if ('problems' in read) throw new SandboxDriverError('INVALID_ARGUMENT', read.problems.join('; '))
  if (read.store === 's3') return openS3(read, secrets)
  return openLocalStore(await localStoreDirectory(read.path, roots))
}

/** The AWS SDK is loaded only when a backend needs it. */
async function openS3(
  parameters: Extract<StoreParameters, { store: 's3' }>,
  secrets: OpenStoreOptions['secrets'],
): Promise<Store> {
  const { bucket, prefix, region, endpoint, pathStyle } = parameters
  const { accessKeyId = '', secretAccessKey = '', sessionToken = '' } = secrets
  if (accessKeyId === '' || secretAccessKey === '') {
    // The machine's own account must not serve requests of a namespace.
    const message = 'the S3 store needs the credentials accessKeyId and secretAccessKey'
    throw new SandboxDriverError('INVALID_ARGUMENT', message)
  }
  const [{ S3Client }, { openS3Store }] = await Promise.all([
    import('@aws-sdk/client-s3'),
    import('./s3-store.ts'),
  ])
  const client = new S3Client({
    region,
    forcePathStyle: pathStyle,
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken !== '' && { sessionToken }) },
    ...(endpoint !== null && { endpoint }),
    // Other servers than AWS do not know the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  return openS3Store(client, { bucket, prefix })
}
