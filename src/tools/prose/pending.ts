/**
 * Folders and files whose prose still has to be rewritten; a folder ends with a slash. Remove an
 * entry when `npx tsx src/tools/prose/main.ts <entry>` reports nothing.
 */
export const PENDING: readonly string[] = []
