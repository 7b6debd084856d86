import type { PlaneSeed } from '../../../store/objects/model/plane-seed.ts'
import type { CompiledSeed } from '../../../planes/seeding/compiled-seed.ts'
import { compileSeed } from '../../../planes/seeding/compile-seed.ts'
import { instantiateSeed, type SeededMember } from '../../../planes/seeding/instantiate-seed.ts'
import type { SeedContext } from '../../../planes/seeding/seed-context.ts'
import type { FieldError } from '../../../planes/model/field-error.ts'
import type { PlaceholderValues } from '../../../lib/json/replace-placeholders.ts'
import type { FleetContent } from '../../model/member-content.ts'

/** Compiled content is kept for this number of templates. */
const MAX_CACHED = 100

/** The objects of members' planes. */
export interface MemberSeeds {
  /** The compiled manifests, or why they are invalid. */
  compile(content: FleetContent, sample: PlaceholderValues): Promise<CompiledSeed | InvalidSeed>
}

/** Manifests that no plane can have. */
export interface InvalidSeed {
  readonly message: string
}

/** Compiles the manifests of templates, and keeps the newest results. */
export function createMemberSeeds(context: SeedContext): MemberSeeds {
  const cached = new Map<string, CompiledSeed>()
  return {
    compile: async ({ content, template }, sample) => {
      const known = cached.get(template)
      if (known) return known
      const field = 'spec.template.objects'
      const compilation = await compileSeed(context, content.objects, { field, sample })
      if (compilation.status === 'invalid') return { message: describe(compilation.errors) }
      const [oldest] = cached.keys()
      if (oldest !== undefined && cached.size >= MAX_CACHED) cached.delete(oldest)
      cached.set(template, compilation.seed)
      return compilation.seed
    },
  }
}

/** The content of planes, and the messages of members whose values make it invalid, by plane. */
export interface SeedInstances {
  readonly seeds: readonly PlaneSeed[]
  readonly invalid: ReadonlyMap<string, string>
}

/** The objects of many members. */
export async function instantiateSeeds(
  compiled: CompiledSeed,
  members: readonly SeededMember[],
): Promise<SeedInstances> {
  const seeds: PlaneSeed[] = []
  const invalid = new Map<string, string>()
  for (const member of members) {
    const instance = await instantiateSeed(compiled, member)
    if (instance.status === 'seeded') seeds.push(instance.seed)
    else invalid.set(member.plane, describe(instance.errors))
  }
  return { seeds, invalid }
}

function describe(errors: readonly FieldError[]): string {
  return errors
    .slice(0, 3)
    .map(({ field, message }) => `${field}: ${message}`)
    .join('; ')
}
