import { readFile, writeFile } from 'node:fs/promises'
import { withLayers } from './lint-layers.ts'

const file = new URL('../../.oxlintrc.json', import.meta.url)

await writeFile(file, withLayers(await readFile(file, 'utf8')))
