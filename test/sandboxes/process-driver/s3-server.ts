import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { spawn } from 'node:child_process'
import path from 'node:path'
import { pythonEnvironment } from '../../drivers/support/python-environment.ts'

/** An S3 server of the package moto, with a bucket. */
export interface S3Server extends AsyncDisposable {
  readonly client: S3Client
  /** Parameters of a backend that uses it. */
  readonly parameters: Record<string, string>
  readonly secrets: Record<string, string>
}

const REQUIREMENTS = path.join(import.meta.dirname, 's3-requirements.txt')
const BUCKET = 'snapshots'

/** Starts the server, or returns the reason why it cannot be installed. */
export async function startS3Server(): Promise<S3Server | { readonly unavailable: string }> {
  const environment = await pythonEnvironment(REQUIREMENTS)
  if ('unavailable' in environment) return environment
  const args = ['-u', '-m', 'moto.server', '--host', '127.0.0.1', '--port', '0']
  const child = spawn(environment.python, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const endpoint = await new Promise<string>((resolve, reject) => {
    let output = ''
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`the S3 server ended: ${output}`)))
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const address = /http:\/\/127\.0\.0\.1:[0-9]+/.exec(output)?.[0]
      if (address !== undefined) resolve(address)
    })
  })
  const secrets = { accessKeyId: 'test', secretAccessKey: 'test' }
  const client = new S3Client({
    region: 'us-east-1',
    endpoint,
    forcePathStyle: true,
    credentials: secrets,
  })
  await client.send(new CreateBucketCommand({ Bucket: BUCKET }))
  return {
    client,
    parameters: { store: 's3', bucket: BUCKET, prefix: 'some/prefix', endpoint },
    secrets,
    [Symbol.asyncDispose]: async () => {
      client.destroy()
      child.kill('SIGKILL')
    },
  }
}
