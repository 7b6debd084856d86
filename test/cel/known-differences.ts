/** Cases of the vectors with another outcome here. */
export interface KnownDifference {
  readonly reason: string
  readonly cases: readonly string[]
}

/** The names of methods that are reserved words elsewhere. */
const RECEIVED =
  'as break const continue else for function if import let loop namespace package return var void while'

/** Every difference is also one of kube-apiserver 1.35, whose engine is cel-go 0.26. */
export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    reason: 'Expressions are checked before they are evaluated; these cases skip the check.',
    cases: [
      'basic/functions/unbound_is_runtime_error',
      'basic/variables/unbound_is_runtime_error',
      'comparisons/eq_literal/eq_list_elem_mixed_types',
      'comparisons/eq_literal/eq_mixed_types',
      'comparisons/eq_literal/not_eq_list_length',
      'comparisons/ne_literal/ne_mixed_types',
      'logic/AND/short_circuit_type_left',
      'logic/AND/short_circuit_type_right',
      'logic/OR/short_circuit_type_left',
      'logic/OR/short_circuit_type_right',
      'logic/conditional/mixed_type',
      ...RECEIVED.split(' ').map((name) => `parse/receiver_function_names/${name}`),
    ],
  },
  {
    reason: 'Kubernetes has no containers, which prefix names.',
    cases: [
      'dynamic/value_null/literal',
      'namespace/namespace/self_eval_container_lookup',
      'namespace/namespace/self_eval_container_lookup_unchecked',
      'namespace/namespace_shadowing/basic',
    ],
  },
  {
    reason: 'Kubernetes rejects IPv4 addresses in IPv6 form.',
    cases: ['network_ext/ipv4/ipv4_equals_ipv6', 'network_ext/ipv4/ipv4_not_equals_ipv6'],
  },
  {
    reason: 'cel-go returns all milliseconds of a duration, not those after its seconds.',
    cases: ['timestamps/duration_converters/get_milliseconds'],
  },
  {
    reason: 'cel-go does not join null with optional types.',
    cases: ['type_deduction/legacy_nullable_types/null_assignable_to_abstract_parameter_candidate'],
  },
]

/** The known difference of a case; null if there is none. */
export function differenceOf({ id }: { readonly id: string }): KnownDifference | null {
  return KNOWN_DIFFERENCES.find(({ cases }) => cases.includes(id)) ?? null
}
