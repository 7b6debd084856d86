/** One media range of an Accept header, such as `application/json;as=Table`. */
export interface AcceptClause {
  /** `type/subtype` in lower case; either may be `*`. */
  readonly range: string
  readonly parameters: ReadonlyMap<string, string>
}

/** The media ranges of an Accept header, the preferred ones first. Those with `q=0` are omitted. */
export function acceptClauses(header: string): readonly AcceptClause[] {
  return header
    .split(',')
    .map(parseClause)
    .filter(({ quality, range }) => quality > 0 && range !== '')
    .toSorted((a, b) => b.quality - a.quality || wildcards(a.range) - wildcards(b.range))
}

function parseClause(text: string): AcceptClause & { readonly quality: number } {
  const [range = '', ...rest] = text.split(';')
  const parameters = new Map<string, string>()
  for (const parameter of rest) {
    const [name = '', value = ''] = parameter.split('=', 2)
    parameters.set(name.trim().toLowerCase(), value.trim().replaceAll('"', ''))
  }
  const quality = Number(parameters.get('q') ?? 1)
  parameters.delete('q')
  return {
    range: range.trim().toLowerCase(),
    parameters,
    quality: Number.isNaN(quality) ? 1 : quality,
  }
}

const wildcards = (range: string) => range.split('*').length
