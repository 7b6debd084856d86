/** Connections that read a stream as the tabs of several viewers do. */
export interface Viewers {
  readonly bytes: number
  close(): Promise<void>
}

/** Opens the same stream several times and reads it without parsing. */
export async function openViewers(url: string, count: number): Promise<Viewers> {
  const closed = new AbortController()
  let bytes = 0
  const read = async (): Promise<void> => {
    const response = await fetch(url, { signal: closed.signal })
    if (!response.ok || response.body === null) throw new Error(`${url}: ${response.status}`)
    for await (const chunk of response.body) bytes += chunk.byteLength
  }
  const reading = Array.from({ length: count }, () =>
    read().catch((error: unknown) => {
      if (!closed.signal.aborted) throw error
    }),
  )
  return {
    get bytes() {
      return bytes
    },
    close: async () => {
      closed.abort()
      await Promise.all(reading)
    },
  }
}
