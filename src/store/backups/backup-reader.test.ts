import { Readable } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BackupReader } from './backup-reader.ts'

/** Splits a text into chunks of a size. */
function reader(text: string, size: number): BackupReader {
  const bytes = Buffer.from(text)
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  )
  return new BackupReader(Readable.from(chunks))
}

async function rowsOf(from: BackupReader): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of from.rows()) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces).toString()
}

test('reads lines and rows, however the bytes are split', async () => {
  // A backslash in a value is escaped, so no row equals the mark of the end.
  const row = fc.constantFrom('', 'a', '\\\\.', 'a\\n\\.', '\\N\tü', '.')
  const table = fc.array(row, { maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(table, table, fc.integer({ min: 1, max: 9 }), async (first, second, size) => {
      const text = [first, second].map((rows) => rows.map((value) => `${value}\n`).join(''))
      const from = reader(`one\n${text[0]}\\.\ntwo\n${text[1]}\\.\nend\n`, size)
      expect(await from.line()).toBe('one')
      expect(await rowsOf(from)).toBe(text[0])
      expect(await from.line()).toBe('two')
      expect(await rowsOf(from)).toBe(text[1])
      expect(await from.line()).toBe('end')
    }),
    { numRuns: 200 },
  )
})

test('rejects bytes that end early', async () => {
  await expect(reader('one', 2).line()).rejects.toThrow('its end is missing')
  await expect(rowsOf(reader('a\nb\n\\', 2))).rejects.toThrow('its end is missing')
})

test('rejects bytes after the end, and files without lines', async () => {
  const from = reader('end\n', 2)
  await from.line()
  await expect(from.end()).resolves.toBeUndefined()
  for (const size of [2, 20]) {
    const more = reader('end\nmore', size)
    await more.line()
    await expect(more.end()).rejects.toThrow('continues after the end')
  }
  const chunk = Buffer.alloc(65_536, 'x')
  let chunks = 0
  const endless = async function* () {
    for (;;) {
      chunks += 1
      yield chunk
      await Promise.resolve()
    }
  }
  await expect(new BackupReader(endless()).line()).rejects.toThrow('not a backup of Flotilla')
  expect(chunks).toBeLessThan(20)
})
