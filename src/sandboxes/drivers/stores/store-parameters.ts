import { localStorePath } from './local-store-directory.ts'

/** The store that the parameters of a backend select. */
export type StoreParameters =
  | { readonly store: 'local'; readonly path: string }
  | {
      readonly store: 's3'
      readonly bucket: string
      readonly prefix: string
      readonly region: string
      readonly endpoint: string | null
      readonly pathStyle: boolean
    }

type Parameters = Readonly<Record<string, string>>

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const PREFIX = /^[A-Za-z0-9!_.*'()/=-]{0,512}$/
const DEFAULT_REGION = 'us-east-1'

/** Reads the parameters of a store, or lists their problems. */
export function readStoreParameters(
  parameters: Parameters,
  roots: readonly string[],
): StoreParameters | { readonly problems: readonly string[] } {
  const store = parameters['store'] || 'local'
  if (store === 'local') return readLocal(parameters['path'] ?? '', roots)
  if (store === 's3') return readS3(parameters)
  const reason = store === 'gcs' ? 'this driver has no GCS store' : 'it is unknown'
  return { problems: [`store ${JSON.stringify(store)}: ${reason}; use local or s3`] }
}

function readLocal(path: string, roots: readonly string[]) {
  try {
    localStorePath(path, roots)
    return { store: 'local', path } as const
  } catch (error) {
    return { problems: [error instanceof Error ? error.message : String(error)] }
  }
}

function readS3(parameters: Parameters) {
  const { bucket = '', prefix = '', region = '', endpoint = '', pathStyle = '' } = parameters
  const problems = [
    ...(BUCKET.test(bucket) ? [] : [`bucket ${JSON.stringify(bucket)}: not a name of a bucket`]),
    ...(isPrefix(prefix) ? [] : [`prefix ${JSON.stringify(prefix)}: not a relative path`]),
    ...(endpoint === '' || isHttpUrl(endpoint) ? [] : [`endpoint: expected an http or https URL`]),
    ...(['', 'true', 'false'].includes(pathStyle) ? [] : ['pathStyle: expected true or false']),
  ]
  if (problems.length > 0) return { problems }
  return {
    store: 's3',
    bucket,
    prefix: prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`,
    region: region || DEFAULT_REGION,
    endpoint: endpoint === '' ? null : endpoint,
    // Servers other than AWS rarely resolve a host name per bucket.
    pathStyle: pathStyle === '' ? endpoint !== '' : pathStyle === 'true',
  } as const
}

function isPrefix(prefix: string): boolean {
  const parts = prefix.split('/')
  return PREFIX.test(prefix) && !prefix.startsWith('/') && !parts.includes('..')
}

function isHttpUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:'
  return isHttp && url.username === '' && url.password === ''
}
