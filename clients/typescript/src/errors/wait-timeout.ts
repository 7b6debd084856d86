/** A wait ended before its condition was met. */
export class WaitTimeout extends Error {
  override readonly name: string = 'WaitTimeout'
}
