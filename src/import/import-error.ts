/** An import or an export cannot continue. The message is for the operator. */
export class ImportError extends Error {
  override readonly name = 'ImportError'
}
