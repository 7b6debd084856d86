import { Code, ConnectError } from '@connectrpc/connect'

/** The failure of an archive that no capture writes. Paths are quoted, since they are hostile too. */
export function hostileArchive(problem: string): ConnectError {
  return new ConnectError(`the archive is rejected: ${problem}`, Code.DataLoss)
}
