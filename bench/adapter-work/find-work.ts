/** The cost of finding due resources, as the adapter sees it. */
export interface Found {
  readonly items: number
  readonly requests: number
  readonly bytes: number
  readonly seconds: number
  /** Milliseconds of each request. */
  readonly latencies: readonly number[]
}

const ADAPTER = 'dns'
const PAGE = 100

/** Sends a request, and fails unless the response is a success. */
export type Send = (method: string, path: string, content?: Content) => Promise<Answer>

interface Content {
  readonly body: object
  readonly headers?: Readonly<Record<string, string>>
}

interface Answer {
  readonly text: string
  readonly ms: number
}

/** Sends requests to a server. Each response must be a success. */
export function sender(origin: string): Send {
  return async (method, path, content) => {
    const start = performance.now()
    const response = await fetch(`${origin}/api/hyperfleet/v1${path}`, {
      method,
      ...(content && {
        body: JSON.stringify(content.body),
        headers: { 'Content-Type': 'application/json', ...content.headers },
      }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${text}`)
    return { text, ms: performance.now() - start }
  }
}

/** Leases until nothing is due, with several workers. */
export async function findByLease(send: Send, workers: number): Promise<Found> {
  return measure(async (record) => {
    const drain = async (): Promise<void> => {
      for (;;) {
        const answer = await send('POST', `/adapters/${ADAPTER}/lease`, {
          body: { kinds: ['Cluster'], max: PAGE, leaseSeconds: 3600, waitSeconds: 2 },
        })
        const { items }: { items: readonly unknown[] } = JSON.parse(answer.text)
        record(answer, items.length)
        if (items.length === 0) return
      }
    }
    await Promise.all(Array.from({ length: workers }, drain))
  })
}

/** Reads all pages of a search for clusters that the adapter has not reported, as pollers do. */
export async function findByPolling(send: Send): Promise<Found> {
  return measure(async (record) => {
    let last = ''
    for (;;) {
      const query = new URLSearchParams({
        search: `(status.conditions.DnsSuccessful is null) and id > '${last}'`,
        orderBy: 'id',
        pageSize: String(PAGE),
      })
      const answer = await send('GET', `/clusters?${query.toString()}`)
      const { items }: { items: readonly { id: string }[] } = JSON.parse(answer.text)
      record(answer, items.length)
      if (items.length < PAGE) return
      last = items.at(-1)?.id ?? last
    }
  })
}

async function measure(
  run: (record: (answer: Answer, items: number) => void) => Promise<void>,
): Promise<Found> {
  const latencies: number[] = []
  let items = 0
  let bytes = 0
  const start = performance.now()
  await run(({ text, ms }, count) => {
    latencies.push(ms)
    items += count
    bytes += text.length
  })
  const seconds = (performance.now() - start) / 1000
  return { items, requests: latencies.length, bytes, seconds, latencies }
}
