import { expect, test } from 'vitest'
import { startTool } from './start-tool.ts'

const OPTIONS = { cwd: '/', account: null, signal: new AbortController().signal }

async function outputOf(name: string, args: readonly string[], options = OPTIONS): Promise<string> {
  const { output, exited } = startTool(name, args, options)
  const chunks: Buffer[] = []
  for await (const chunk of output) chunks.push(chunk)
  await exited
  return Buffer.concat(chunks).toString()
}

test('returns the output of a program', async () => {
  expect(await outputOf('echo', ['text'])).toBe('text\n')
})

test('names a program that is missing', async () => {
  await expect(outputOf('no-such-program', [])).rejects.toMatchObject({
    code: 'FAILED_PRECONDITION',
    message: "the program 'no-such-program' is missing: install it",
  })
})

test('reports the error output of a program that fails', async () => {
  await expect(outputOf('ls', ['/no-such-file'])).rejects.toMatchObject({
    code: 'INTERNAL',
    message: expect.stringContaining('No such file'),
  })
})

test('reports the reason of an abort', async () => {
  const cancel = new AbortController()
  const output = outputOf('sleep', ['100'], { ...OPTIONS, signal: cancel.signal })
  cancel.abort(new Error('cancelled by the test'))
  await expect(output).rejects.toThrow('cancelled by the test')
})
