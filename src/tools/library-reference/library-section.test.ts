import { expect, test } from 'vitest'
import { exportedNames } from './exported-names.ts'
import { librarySection } from './library-section.ts'

const DECLARATIONS = `import type { Hull } from './hull.ts';
import type { Port } from './port.ts';
interface Options {
    readonly hull: Hull;
    readonly port: Port;
}
/** Builds a ship. */
export declare function build(options: Options): void;
export declare function sink(): void;
export {};
`
const parts = { module: 'ships', declarations: DECLARATIONS, published: new Set(['build', 'Port']) }

test('a section contains the options, and lists types without an entry point', () => {
  expect(librarySection({ ...parts, name: 'build' })).toBe(`## build

\`\`\`ts
function build(options: Options): void
\`\`\`

Builds a ship.

### Options

\`\`\`ts
interface Options
\`\`\`

- \`hull: Hull\`
- \`port: Port\`

Not exported: \`Hull\`.
`)
})

test('rejects a public name without a comment', () => {
  expect(() => librarySection({ ...parts, name: 'sink' })).toThrow('sink has no comment')
})

test('reads the names of an entry point, which may contain nothing else', () => {
  const text = "/** Ships. */\nexport {\n  type Ship,\n  build,\n} from '../ships/ship.ts'\n"
  expect(exportedNames(text)).toEqual([
    { name: 'Ship', module: 'ships/ship' },
    { name: 'build', module: 'ships/ship' },
  ])
  expect(() => exportedNames(`${text}export const length = 5\n`)).toThrow('only exports names')
})
