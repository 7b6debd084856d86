/** The safe methods of RFC 9110, 9.2.1, except TRACE: they change nothing. */
export const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])
