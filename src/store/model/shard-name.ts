/** Reads the name of a shard, which is part of commands, metrics and messages. */
export function readShardName(text: string): string {
  if (/^[a-z][a-z0-9-]{0,31}$/.test(text)) return text
  throw new Error(
    `expected a name of 1 to 32 lower-case letters, digits and hyphens that begins with a letter, found '${text}'`,
  )
}
