import type { CDPSession, Page } from 'playwright-core'

/** The memory of a tab after a garbage collection. */
export interface TabMemory {
  readonly heapMegabytes: number
  readonly nodes: number
  readonly listeners: number
}

const MEGABYTE = 1024 * 1024

/** Collects garbage in a tab and reads its memory. */
export async function readTabMemory(page: Page): Promise<TabMemory> {
  const session = await page.context().newCDPSession(page)
  try {
    return await readMemory(session)
  } finally {
    await session.detach()
  }
}

async function readMemory(session: CDPSession): Promise<TabMemory> {
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters')
  return { heapMegabytes: usedSize / MEGABYTE, nodes, listeners: jsEventListeners }
}
