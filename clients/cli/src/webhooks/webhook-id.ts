/** The ID of an argument: itself, or `webhook/ID` as `-o name` prints it. */
export function webhookId(argument: string): string {
  return argument.replace(/^webhook\//, '')
}
