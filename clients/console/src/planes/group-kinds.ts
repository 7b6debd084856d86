import type { PlaneKind } from '../kube/plane-kind.ts'

/** The kinds of one group. */
export interface KindGroup {
  readonly group: string
  readonly kinds: readonly PlaneKind[]
}

/** Groups the kinds that contain a text in their names or their group. Groups keep their order. */
export function groupKinds(kinds: readonly PlaneKind[], text: string): readonly KindGroup[] {
  const wanted = text.trim().toLowerCase()
  const groups = new Map<string, PlaneKind[]>()
  for (const kind of kinds) {
    const words = [kind.kind, kind.plural, kind.group, ...kind.shortNames].join(' ').toLowerCase()
    if (!words.includes(wanted)) continue
    const group = groups.get(kind.group) ?? []
    group.push(kind)
    groups.set(kind.group, group)
  }
  return [...groups.entries()].map(([group, members]) => ({ group, kinds: members }))
}
