/** The folders that serve any API, and name none. */
const GENERIC = ['capability', 'http', 'lib', 'planes', 'store'] as const

const NAME = /hyperfleet|node ?pool/i

/** Lists the lines of a file below src/ that name a resource or header of the HyperFleet API. */
export function foreignNames(file: string, text: string): readonly string[] {
  if (!GENERIC.some((folder) => file.startsWith(`${folder}/`))) return []
  return text.split('\n').flatMap((line, index) => {
    const name = NAME.exec(line)?.[0]
    return name === undefined ? [] : [`src/${file}:${index + 1}: names '${name}'`]
  })
}
