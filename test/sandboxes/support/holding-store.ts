import { createServer } from 'node:http'
import { listen } from '../../../src/lib/listen.ts'

/** An S3 server that lists nothing and holds every upload, so that a capture cannot end. */
export interface HoldingStore extends AsyncDisposable {
  /** Parameters of a backend that uses it. */
  readonly parameters: Record<string, string>
  readonly secrets: Record<string, string>
  /** Resolves when the next upload arrives whose path has the text. */
  upload(text?: string): Promise<'uploading'>
}

const EMPTY_LIST = '<?xml version="1.0"?><ListBucketResult></ListBucketResult>'

/** Starts the server. */
export async function startHoldingStore(): Promise<HoldingStore> {
  const server = createServer((request, response) => {
    if (request.method === 'GET') response.end(EMPTY_LIST)
    else server.emit('upload', request.url)
  })
  const port = await listen(server, 0, '127.0.0.1')
  return {
    parameters: { store: 's3', bucket: 'snapshots', endpoint: `http://127.0.0.1:${port}` },
    secrets: { accessKeyId: 'test', secretAccessKey: 'test' },
    upload: (text = '') =>
      new Promise((resolve) => {
        server.on('upload', (url: string) => {
          if (url.includes(text)) resolve('uploading')
        })
      }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
