import type { ApiRequest } from '../http/request.ts'
import type { ChangeOptions } from './write-options.ts'

/** The parts of a request that the options of a change decide. */
export function changeRequest({
  ifMatch,
  dryRun,
  signal,
  timeout,
}: ChangeOptions): Pick<ApiRequest, 'query' | 'headers' | 'signal' | 'timeout' | 'retry'> {
  return {
    query: { dryRun: dryRun === true ? 'All' : undefined },
    headers: ifMatch === undefined ? {} : { 'If-Match': ifMatch },
    signal,
    timeout,
    // A repeated change would fail on the version that its first attempt wrote.
    retry: ifMatch === undefined ? 'always' : 'rejected',
  }
}
