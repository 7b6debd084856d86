/** Sends requests one after the other over each of some connections; rejects at the first failure. */
export async function sendAll(
  { count, connections }: { readonly count: number; readonly connections: number },
  send: (index: number) => Promise<{ readonly status: number; readonly text: string }>,
): Promise<void> {
  let sent = 0
  const sendInTurn = async (): Promise<void> => {
    while (sent < count) {
      const index = sent
      sent += 1
      const { status, text } = await send(index)
      if (status >= 300) throw new Error(`request ${index} is ${status}: ${text}`)
    }
  }
  await Promise.all(Array.from({ length: connections }, sendInTurn))
}
