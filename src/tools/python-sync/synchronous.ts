/** Replacements that turn the source of the asynchronous Python client into the synchronous one. */
const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/\basync (def|with|for)\b/g, '$1'],
  [/\bawait /g, ''],
  [/\basynccontextmanager\b/g, 'contextmanager'],
  [/\bAsyncGenerator\[(.+?), None\]/g, 'Generator[$1, None, None]'],
  [/\bAsync(?=[A-Z])/g, ''],
  [/\bhttpx\.AsyncClient\b/g, 'httpx.Client'],
  [/\b__a(enter|exit|iter|next)__\b/g, '__$1__'],
  [/\bStopAsyncIteration\b/g, 'StopIteration'],
  [/\baclose\b/g, 'close'],
  [/\ba(iter_bytes|read)\b/g, '$1'],
  [/\b_async\b/g, '_sync'],
  [/\basynchronous\b/g, 'synchronous'],
]

const HEADER = '# Generated from flotilla/_async by `npm run openapi`.\n'

/** The synchronous form of a Python module. */
export function synchronous(source: string): string {
  const text = REPLACEMENTS.reduce((all, [from, to]) => all.replaceAll(from, to), source)
  return HEADER + text
}
