import { expect, test } from 'vitest'
import { readDeclarations } from './read-declarations.ts'

const TEXT = `import type { Hull } from './hull.ts';
/** A ship; see {@link Harbor.docks}. */
export declare class Ship extends Hull {
    #private;
    /** Its name. */
    readonly name: string;
    constructor(name: string);
    /**
     * Leaves the harbor
     * and returns the time.
     */
    leave(options?: {
        readonly at: Date;
    }): Promise<Date>;
    private hidden;
}
/** The load. */
export type Cargo = 'grain' | 'ore';
declare function internal(): void;
/** The largest ship. */
export declare const LARGEST: {
    readonly name: string;
};
/** Builds a ship. */
export declare function build(name: string): Ship;
export {};
`

test('reads classes with members, types and functions with their comments', () => {
  expect(readDeclarations(TEXT)).toEqual([
    {
      kind: 'class',
      name: 'Ship',
      description: 'A ship; see `docks`.',
      signature: 'class Ship extends Hull',
      members: [
        { signature: 'readonly name: string', description: 'Its name.' },
        { signature: 'constructor(name: string)', description: '' },
        {
          signature: 'leave(options?: { readonly at: Date; }): Promise<Date>',
          description: 'Leaves the harbor and returns the time.',
        },
      ],
    },
    {
      kind: 'type',
      name: 'Cargo',
      description: 'The load.',
      signature: "type Cargo = 'grain' | 'ore';",
      members: [],
    },
    {
      kind: 'const',
      name: 'LARGEST',
      description: 'The largest ship.',
      signature: 'const LARGEST: { readonly name: string; };',
      members: [],
    },
    {
      kind: 'function',
      name: 'build',
      description: 'Builds a ship.',
      signature: 'function build(name: string): Ship;',
      members: [],
    },
  ])
})
