import type { Release } from '../programs.ts'
import type { ExpectedFailures, SpecsByReason } from './compare-specs.ts'

/**
 * The specs of all releases that need what planes do not have. A reason begins with the id of a
 * difference (docs/planes.md), or with "suite".
 */
const NOT_APPLICABLE: SpecsByReason = {
  'D1: need a server for webhooks or APIs in pods': [
    '[sig-api-machinery] AdmissionWebhook [Privileged:ClusterAdmin] listing mutating webhooks should work [Conformance]',
    '[sig-api-machinery] AdmissionWebhook [Privileged:ClusterAdmin] listing validating webhooks should work [Conformance]',
    '[sig-api-machinery] AdmissionWebhook [Privileged:ClusterAdmin] patching/updating a mutating webhook should work [Conformance]',
    '[sig-api-machinery] AdmissionWebhook [Privileged:ClusterAdmin] patching/updating a validating webhook should work [Conformance]',
    '[sig-api-machinery] AdmissionWebhook [Privileged:ClusterAdmin] should be able to create and update mutating webhook configurations with match conditions [Conformance]',
    '[sig-api-machinery] AdmissionWebhook [Privileged:ClusterAdmin] should be able to create and update validating webhook configurations with match conditions [Conformance]',
    '[sig-api-machinery] AdmissionWebhook [Privileged:ClusterAdmin] should be able to deny attaching pod [Conformance]',
    '[sig-api-machinery] AdmissionWebhook [Privileged:ClusterAdmin] should be able to deny custom resource creation, update and deletion [Conformance]',
    '[sig-api-machinery] AdmissionWebhook [Privileged:ClusterAdmin] should be able to deny pod and configmap creation [Conformance]',
    '[sig-api-machinery] AdmissionWebhook [Privileged:ClusterAdmin] should deny crd creation [Conformance]',
    '[sig-api-machinery] AdmissionWebhook [Privileged:ClusterAdmin] should honor timeout [Conformance]',
    '[sig-api-machinery] AdmissionWebhook [Privileged:ClusterAdmin] should include webhook resources in discovery documents [Conformance]',
    '[sig-api-machinery] AdmissionWebhook [Privileged:ClusterAdmin] should mutate configmap [Conformance]',
    '[sig-api-machinery] AdmissionWebhook [Privileged:ClusterAdmin] should mutate custom resource [Conformance]',
    '[sig-api-machinery] AdmissionWebhook [Privileged:ClusterAdmin] should mutate custom resource with different stored version [Conformance]',
    '[sig-api-machinery] AdmissionWebhook [Privileged:ClusterAdmin] should mutate custom resource with pruning [Conformance]',
    "[sig-api-machinery] AdmissionWebhook [Privileged:ClusterAdmin] should mutate everything except 'skip-me' configmaps [Conformance]",
    '[sig-api-machinery] AdmissionWebhook [Privileged:ClusterAdmin] should mutate pod and apply defaults after mutation [Conformance]',
    '[sig-api-machinery] AdmissionWebhook [Privileged:ClusterAdmin] should not be able to mutate or prevent deletion of webhook configuration objects [Conformance]',
    '[sig-api-machinery] AdmissionWebhook [Privileged:ClusterAdmin] should reject mutating webhook configurations with invalid match conditions [Conformance]',
    '[sig-api-machinery] AdmissionWebhook [Privileged:ClusterAdmin] should reject validating webhook configurations with invalid match conditions [Conformance]',
    '[sig-api-machinery] AdmissionWebhook [Privileged:ClusterAdmin] should unconditionally reject operations on fail closed webhook [Conformance]',
    '[sig-api-machinery] Aggregator Should be able to support the 1.17 Sample API Server using the current Aggregator [LinuxOnly] [Conformance]',
    '[sig-api-machinery] CustomResourceConversionWebhook [Privileged:ClusterAdmin] should be able to convert a non homogeneous list of CRs [Conformance]',
    '[sig-api-machinery] CustomResourceConversionWebhook [Privileged:ClusterAdmin] should be able to convert from CR v1 to CR v2 [Conformance]',
    '[sig-api-machinery] CustomResourceFieldSelectors [Privileged:ClusterAdmin] CustomResourceFieldSelectors MUST list and watch custom resources matching the field selector [Conformance]',
    '[sig-api-machinery] OpenAPIV3 should contain OpenAPI V3 for Aggregated APIServer [Serial]',
  ],
  'D1: expect deployments in discovery documents': [
    '[sig-api-machinery] AggregatedDiscovery should support aggregated discovery interface [Conformance]',
    '[sig-api-machinery] AggregatedDiscovery should support raw aggregated discovery endpoint Accept headers [Conformance]',
    '[sig-api-machinery] Discovery should accurately determine present and missing resources',
    '[sig-api-machinery] Discovery should locate the groupVersion and a resource within each APIGroup [Conformance]',
  ],
  'D19: expect the names of the checks of kube-apiserver': [
    '[sig-api-machinery] health handlers should contain necessary checks',
  ],
  'D20: need certificates.k8s.io': [
    '[sig-auth] Certificates API [Privileged:ClusterAdmin] should support CSR API operations [Conformance]',
    '[sig-auth] Certificates API [Privileged:ClusterAdmin] should support building a client with a CSR',
  ],
  'D1: need nodes': [
    '[sig-api-machinery] Garbage collector should keep the rc around until all its pods are deleted if the deleteOptions says so [Serial] [Conformance]',
    "[sig-api-machinery] Garbage collector should not delete dependents that have both valid owner and owner that's waiting for dependents to be deleted [Serial] [Conformance]",
    '[sig-api-machinery] Garbage collector should orphan pods created by rc if delete options say so [Serial] [Conformance]',
    '[sig-api-machinery] Servers with support for Table transformation should return generic metadata details across all namespaces for nodes',
    '[sig-auth] NodeAuthenticator The kubelet can delegate ServiceAccount tokens to the API server',
    "[sig-auth] NodeAuthenticator The kubelet's main port 10250 should reject requests with no credentials",
    '[sig-auth] ValidatingAdmissionPolicy can restrict access by-node',
  ],
  'D1: need pods, or kinds around pods': [
    '[sig-api-machinery] FieldValidation should detect unknown and duplicate fields of a typed object [Conformance]',
    '[sig-api-machinery] FieldValidation should detect unknown metadata fields of a typed object [Conformance]',
    '[sig-api-machinery] Garbage collector should delete RS created by deployment when not orphaning [Conformance]',
    '[sig-api-machinery] Garbage collector should delete jobs and pods created by cronjob',
    '[sig-api-machinery] Garbage collector should delete pods created by rc when not orphaning [Conformance]',
    '[sig-api-machinery] Garbage collector should not be blocked by dependency circle [Conformance]',
    '[sig-api-machinery] Garbage collector should orphan RS created by deployment when deleteOptions.PropagationPolicy is Orphan [Conformance]',
    '[sig-api-machinery] Garbage collector should orphan pods created by rc if deleteOptions.OrphanDependents is nil',
    '[sig-api-machinery] Generated clientset should create pods, set the deletionTimestamp and deletionGracePeriodSeconds of the pod',
    '[sig-api-machinery] Generated clientset should create v1 cronJobs, delete cronJobs, watch cronJobs',
    '[sig-api-machinery] Namespaces [Serial] should ensure that all pods are removed when a namespace is deleted [Conformance]',
    '[sig-api-machinery] Namespaces [Serial] should ensure that all services are removed when a namespace is deleted [Conformance]',
    '[sig-api-machinery] OrderedNamespaceDeletion namespace deletion should delete pod first [Conformance]',
    "[sig-api-machinery] ResourceQuota [FeatureGate:VolumeAttributesClass] should verify ResourceQuota's volume attributes class scope (quota set to pvc count: 1) against 2 pvcs with same volume attributes class.",
    "[sig-api-machinery] ResourceQuota [FeatureGate:VolumeAttributesClass] should verify ResourceQuota's volume attributes class scope (quota set to pvc count: 1) against a pvc with different volume attributes class.",
    '[sig-api-machinery] ResourceQuota should create a ResourceQuota and capture the life of a ResourceClaim [FeatureGate:DynamicResourceAllocation] [DRA]',
    '[sig-api-machinery] ResourceQuota should create a ResourceQuota and capture the life of a persistent volume claim',
    '[sig-api-machinery] ResourceQuota should create a ResourceQuota and capture the life of a persistent volume claim with a storage class',
    '[sig-api-machinery] ResourceQuota should create a ResourceQuota and capture the life of a pod. [Conformance]',
    '[sig-api-machinery] ResourceQuota should create a ResourceQuota and capture the life of a replica set. [Conformance]',
    '[sig-api-machinery] ResourceQuota should create a ResourceQuota and capture the life of a replication controller. [Conformance]',
    '[sig-api-machinery] ResourceQuota should create a ResourceQuota and capture the life of a service. [Conformance]',
    '[sig-api-machinery] ResourceQuota should verify ResourceQuota with best effort scope using scope-selectors.',
    '[sig-api-machinery] ResourceQuota should verify ResourceQuota with best effort scope. [Conformance]',
    '[sig-api-machinery] ResourceQuota should verify ResourceQuota with cross namespace pod affinity scope using scope-selectors.',
    '[sig-api-machinery] ResourceQuota should verify ResourceQuota with terminating scopes through scope selectors.',
    '[sig-api-machinery] ResourceQuota should verify ResourceQuota with terminating scopes. [Conformance]',
    '[sig-api-machinery] ServerSideApply should create an applied object if it does not already exist',
    '[sig-api-machinery] ServerSideApply should give up ownership of a field if forced applied by a controller',
    '[sig-api-machinery] ServerSideApply should ignore conflict errors if force apply is used',
    '[sig-api-machinery] ServerSideApply should not remove a field if an owner unsets the field but other managers still have ownership of the field',
    '[sig-api-machinery] ServerSideApply should remove a field if it is owned but removed in the apply request',
    '[sig-api-machinery] ServerSideApply should work for subresources',
    '[sig-api-machinery] Servers with support for Table transformation should return pod details',
    '[sig-api-machinery] ValidatingAdmissionPolicy [Privileged:ClusterAdmin] should allow expressions to refer variables. [Conformance]',
    '[sig-api-machinery] ValidatingAdmissionPolicy [Privileged:ClusterAdmin] should type check validation expressions',
    '[sig-api-machinery] ValidatingAdmissionPolicy [Privileged:ClusterAdmin] should validate against a Deployment [Conformance]',
    '[sig-auth] ServiceAccounts ServiceAccountIssuerDiscovery should support OIDC discovery of service account issuer [Conformance]',
    '[sig-auth] ServiceAccounts should allow opting out of API token automount [Conformance]',
    '[sig-auth] ServiceAccounts should mount an API token into pods [Conformance]',
    '[sig-auth] ServiceAccounts should mount projected service account token [Conformance]',
    '[sig-auth] ServiceAccounts should set ownership and permission when RunAsUser or FsGroup is present [LinuxOnly]',
    '[sig-node] ConfigMap should be consumable as environment variable names with various prefixes [Conformance]',
    '[sig-node] ConfigMap should be consumable via environment variable [NodeConformance] [Conformance]',
    '[sig-node] ConfigMap should be consumable via the environment [NodeConformance] [Conformance]',
    '[sig-node] PodTemplates should delete a collection of pod templates [Conformance]',
    '[sig-node] PodTemplates should replace a pod template [Conformance]',
    '[sig-node] PodTemplates should run the lifecycle of PodTemplates [Conformance]',
    '[sig-node] Secrets should be consumable as environment variable names variable names with various prefixes [Conformance]',
    '[sig-node] Secrets should be consumable from pods in env vars [NodeConformance] [Conformance]',
    '[sig-node] Secrets should be consumable via the environment [NodeConformance] [Conformance]',
  ],
}

/** Specs that need what planes do not have, and that do not run. */
const EXCLUDED: SpecsByReason = {
  'D1: end the suite, which cannot create pod templates': [
    '[sig-api-machinery] Servers with support for API chunking should return chunks of results for list calls [Conformance]',
    '[sig-api-machinery] Servers with support for Table transformation should return chunks of table results for list calls',
  ],
}

/** Specs that skip themselves. */
const SKIPPED: SpecsByReason = {
  'suite: skip themselves, because they are flaky': [
    "[sig-api-machinery] API priority and fairness should ensure that requests can't be drowned out (fairness)",
    "[sig-api-machinery] API priority and fairness should ensure that requests can't be drowned out (priority)",
  ],
  'D21: need authentication.k8s.io in versions before v1': [
    '[sig-auth] SelfSubjectReview testing SSR in different API groups authentication/v1alpha1',
    '[sig-auth] SelfSubjectReview testing SSR in different API groups authentication/v1beta1',
  ],
}

const OF_1_35: ExpectedFailures = {
  notApplicable: {
    ...NOT_APPLICABLE,
    'D1: need deployments': [
      '[sig-api-machinery] MutatingAdmissionPolicy [Privileged:ClusterAdmin] [Feature:MutatingAdmissionPolicy] [FeatureGate:MutatingAdmissionPolicy] [Beta] [Feature:OffByDefault] should mutate a Deployment',
    ],
    'D21: need mutating policies as v1alpha1': [
      '[sig-api-machinery] MutatingAdmissionPolicy [Privileged:ClusterAdmin] [Feature:MutatingAdmissionPolicy] [FeatureGate:MutatingAdmissionPolicy] [Beta] [Feature:OffByDefault] should support MutatingAdmissionPolicy v1alpha1 API operations',
      '[sig-api-machinery] MutatingAdmissionPolicy [Privileged:ClusterAdmin] [Feature:MutatingAdmissionPolicy] [FeatureGate:MutatingAdmissionPolicy] [Beta] [Feature:OffByDefault] should support MutatingAdmissionPolicyBinding v1alpha1 API operations',
    ],
  },
  differences: {},
  excluded: EXCLUDED,
  skipped: SKIPPED,
}

const OF_1_36: ExpectedFailures = {
  notApplicable: {
    ...NOT_APPLICABLE,
    'D1: need deployments': [
      '[sig-api-machinery] MutatingAdmissionPolicy [Privileged:ClusterAdmin] should mutate a Deployment [Conformance]',
      '[sig-api-machinery] MutatingAdmissionPolicy [Privileged:ClusterAdmin] should mutate a Deployment with annotations [Conformance]',
    ],
  },
  differences: {},
  excluded: EXCLUDED,
  skipped: SKIPPED,
}

/** The specs of each release that are expected not to pass. */
export const EXPECTED: Readonly<Record<Release, ExpectedFailures>> = {
  '1.35': OF_1_35,
  '1.36': OF_1_36,
}
