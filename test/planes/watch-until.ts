import { must } from '../../src/lib/assert.ts'

/** The text of a watch until a complete line contains a part; all of it if the watch ends before. */
export async function watchUntil(
  url: string,
  part: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const response = await fetch(url, { headers })
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of must(response.body, 'the body of the watch')) {
    text += decoder.decode(chunk, { stream: true })
    if (text.slice(0, text.lastIndexOf('\n') + 1).includes(part)) break
  }
  return text
}
