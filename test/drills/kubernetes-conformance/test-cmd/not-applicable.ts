import type { Release } from '../programs.ts'
import type { NotApplicable } from './compare-assertions.ts'

/**
 * The functions of the suite that do not run, by reason. A reason begins with the id of a difference
 * (docs/planes.md).
 */
const NOT_RUN: Readonly<Record<string, readonly string[]>> = {
  'D1: use workload kinds: pods, services, nodes, deployments and others': [
    'run_assert_categories_tests',
    'run_pod_tests',
    'run_save_config_tests',
    'run_kubectl_run_tests',
    'run_kubectl_create_filter_tests',
    'run_kubectl_apply_deployments_tests',
    'run_kubectl_diff_tests',
    'run_kubectl_events_tests',
    'run_kubectl_exec_pod_tests',
    'run_kubectl_exec_resource_name_tests',
    'run_kubectl_create_validate_tests',
    'run_recursive_resources_tests',
    'run_job_tests',
    'run_create_job_tests',
    'run_pod_templates_tests',
    'run_service_tests',
    'run_daemonset_tests',
    'run_daemonset_history_tests',
    'run_rc_tests',
    'run_deployment_tests',
    'run_rs_tests',
    'run_stateful_set_tests',
    'run_statefulset_history_tests',
    'run_lists_tests',
    'run_multi_resources_tests',
    'run_nodes_tests',
    'run_retrieve_multiple_tests',
    'run_resource_aliasing_tests',
    'run_kubectl_explain_tests',
    'run_kubectl_sort_by_tests',
    'run_cluster_management_tests',
    'run_wait_tests',
    'run_kubectl_debug_pod_tests',
    'run_kubectl_debug_general_tests',
    'run_kubectl_debug_baseline_tests',
    'run_kubectl_debug_restricted_tests',
    'run_kubectl_debug_netadmin_tests',
    'run_kubectl_debug_custom_profile_tests',
    'run_kubectl_debug_warning_tests',
    'run_kubectl_debug_node_tests',
    'run_kubectl_debug_general_node_tests',
    'run_kubectl_debug_baseline_node_tests',
    'run_kubectl_debug_restricted_node_tests',
    'run_kubectl_debug_netadmin_node_tests',
  ],
  'D1: use volumes, claims and storage classes, which only pods need': [
    'run_persistent_volumes_tests',
    'run_persistent_volume_claims_tests',
    'run_storage_class_tests',
  ],
  'D1: compare pods and deployments together with a config map and a secret': [
    'run_kubectl_diff_same_names',
  ],
  'D1: convert deployments with kubectl-convert, which is not built': ['run_convert_tests'],
  'D20: need certificates.k8s.io': ['run_certificates_tests'],
}

/** The lines that fail in the other functions, by reason. They belong to the sources of 1.35.0. */
const NOT_APPLICABLE: NotApplicable = {
  'D1: use workload kinds: pods, services, nodes, deployments and others': {
    'apply.sh': [
      32, 34, 36, 38, 39, 41, 47, 49, 53, 54, 57, 59, 61, 67, 69, 71, 72, 73, 74, 77, 79, 81, 84,
      90, 92, 95, 97, 100, 103, 105, 108, 110, 111, 124, 132, 133, 137, 138, 140, 141, 143, 145,
      149, 211, 212, 214, 216, 219, 226, 228, 233, 235, 236, 239, 240, 247, 248, 249, 250, 251, 255,
      256, 257, 258, 260, 266, 268, 270, 271, 272, 274, 275, 278, 285, 286, 288, 289, 291, 293, 300,
      306, 308, 311, 313, 315, 317, 320, 322, 323, 325, 328, 330, 331, 333, 342, 344, 346, 347, 349,
      368, 369, 370, 372, 406, 408, 410, 411, 413, 414, 415, 417, 418, 419, 421, 428, 432, 433, 435,
      437, 439, 443, 451, 455, 457, 458, 459, 463, 465, 466, 467, 468, 471,
    ],
    'create.sh': [130, 135, 136, 139],
    'discovery.sh': [61, 113, 123, 141, 190, 199, 300],
    'get.sh': [
      33, 41, 47, 51, 55, 59, 63, 67, 79, 81, 83, 87, 89, 97, 102, 104, 105, 106, 107, 108, 109,
      110, 111, 112, 155, 157, 158, 161, 164, 167, 168, 172, 176, 179, 180, 184, 187, 188, 189, 190,
      192, 193, 195, 197, 200, 206, 210, 211, 214, 222, 226, 227, 228, 229, 232, 414, 416, 420, 442,
      444, 450, 452,
    ],
    'kuberc.sh': [
      116, 117, 118, 121, 124, 126, 128, 129, 131, 135, 138, 140, 141, 146, 147, 150, 151, 153, 154,
      192, 194,
    ],
    'legacy-script.sh': [876, 895, 899],
    'proxy.sh': [41],
    'rbac.sh': [
      36, 37, 41, 42, 43, 45, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 153, 154, 158,
      159, 160, 161, 165, 166, 167, 168, 172, 173, 174, 175, 177, 178, 179, 180, 184, 185, 186, 187,
      188, 190, 191, 192, 193,
    ],
    'request-timeout.sh': [31, 33, 34, 37, 38, 41, 43, 47, 48, 55],
    'results.sh': [54],
    'template-output.sh': [
      32, 34, 35, 38, 39, 42, 43, 46, 47, 50, 51, 54, 55, 58, 59, 62, 63, 66, 67, 70, 71, 73, 76,
      77, 78, 85, 86, 97, 98, 101, 121, 122, 133, 134, 153, 154, 157, 158, 161, 162, 169, 170, 209,
      210, 213, 214, 217, 218, 221, 222, 237, 238, 239, 240, 242,
    ],
  },
  'D1: the same line checks kubectl set env of a deployment after apply and replace': {
    'authentication.sh': [379],
  },
  'D20: use client certificates': {
    'authentication.sh': [58],
  },
  'D20: expect that the server rejects other credentials': {
    'authentication.sh': [131],
  },
  'D20: need certificates.k8s.io': {
    'authentication.sh': [139, 151, 152, 154, 155, 183],
  },
  'D2: expect indented JSON': {
    'authorization.sh': [37],
  },
}

/** How many lines the sources of 1.36.3 have more before these lines. */
const ADDED_LINES: Readonly<Record<string, number>> = {
  'kuberc.sh': 39,
  'legacy-script.sh': 1,
  'results.sh': -1,
}

/** The functions of debug.sh that 1.36 has instead of those of 1.35. */
const RENAMED: Readonly<Record<string, string>> = {
  run_kubectl_debug_pod_tests: 'run_kubectl_debug_tests',
  run_kubectl_debug_general_tests: 'run_kubectl_debug_legacy_tests',
  run_kubectl_debug_general_node_tests: 'run_kubectl_debug_legacy_node_tests',
}

interface Expected {
  readonly notRun: Readonly<Record<string, readonly string[]>>
  readonly notApplicable: NotApplicable
}

const EXPECTED_1_35: Expected = { notRun: NOT_RUN, notApplicable: NOT_APPLICABLE }

/** The functions that do not run, and the lines that fail, in the suite of each release. */
export const EXPECTED: Readonly<Record<Release, Expected>> = {
  '1.35': EXPECTED_1_35,
  '1.36': {
    notRun: {
      ...mapValues(NOT_RUN, (names) => names.map((name) => RENAMED[name] ?? name)),
      'D1: scales deployments': ['run_kubectl_scale_tests'],
    },
    notApplicable: mapValues(NOT_APPLICABLE, (files) =>
      mapValues(files, (lines, file) => lines.map((line) => line + (ADDED_LINES[file] ?? 0))),
    ),
  },
}

function mapValues<Value, Result>(
  record: Readonly<Record<string, Value>>,
  map: (value: Value, key: string) => Result,
): Readonly<Record<string, Result>> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]))
}
