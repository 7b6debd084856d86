/** A behaviour in which planes differ from kube-apiserver 1.35. Texts are Markdown. */
export interface PlaneDifference {
  /** Never changes. */
  readonly id: string
  readonly topic: string
  readonly difference: string
  readonly reason: string
  /** A test of the present behaviour: its file and a part of its text. */
  readonly test?: readonly [file: string, text: string]
}

/** Every known difference of planes from kube-apiserver 1.35. */
export const PLANE_DIFFERENCES: readonly PlaneDifference[] = [
  {
    id: 'D1',
    topic: 'workloads',
    difference:
      'There are no pods, services, nodes or deployments. `kubectl get all` finds something only if a custom resource has the category `all`.',
    reason: 'A plane has no nodes.',
  },
  {
    id: 'D2',
    topic: 'formats',
    difference:
      'Responses are JSON, even to clients that prefer protobuf. Requests with built-in kinds may be protobuf. CBOR is not supported. `pretty=true` has no effect.',
    reason: 'All clients read JSON.',
  },
  {
    id: 'D3',
    topic: 'lists in pages',
    difference:
      'Each page shows the state at its own request, with the resource version of the first page. A list followed by a watch from this version converges. In Kubernetes, all pages show one moment. `remainingItemCount` is absent above 10 000 objects, and up to 10 s after their number has fallen.',
    reason: '[Decision 87](decisions/0087-pages-show-the-time-of-their-request.md).',
  },
  {
    id: 'D4',
    topic: '`resourceVersionMatch=Exact`',
    difference: 'Only the current revision is available; any other one is 410.',
    reason: 'A row has the current state only.',
  },
  {
    id: 'D5',
    topic: 'large integers',
    difference:
      'An integer that neither an int64 nor a double can hold is 422. Kubernetes rounds it to a double.',
    reason: 'No value is changed without notice.',
    test: [
      'test/planes/custom-resources.test.ts',
      'is an integer that neither an int64 nor a double',
    ],
  },
  {
    id: 'D6',
    topic: 'types of fields',
    difference:
      'A value of the wrong type is 422 `Invalid` and names the field. Kubernetes responds 400 and names a Go type.',
    reason: 'The field helps more than a Go type.',
  },
  {
    id: 'D7',
    topic: 'service accounts',
    difference:
      'On a server without TLS, namespaces have no `kube-root-ca.crt` config map. Secrets of type `kubernetes.io/service-account-token` are stored, but the server does not fill in a token. Use `kubectl create token`.',
    reason: 'There is no certificate to verify, and there are no pods, which would mount tokens.',
  },
  {
    id: 'D8',
    topic: 'quotas',
    difference: 'Counts of objects are enforced. Other resources have no effect: their usage is 0.',
    reason: 'Nothing in a plane uses CPU or memory.',
    test: [
      'test/planes/admission.test.ts',
      'R31: concurrent creations stay within a quota, whose status has the counts',
    ],
  },
  {
    id: 'D9',
    topic: 'webhooks, APIServices',
    difference:
      'There are no services, so webhooks need a `url` and APIServices the annotation `flotilla.dev/url`. The server calls only hosts in `WEBHOOK_ALLOWED_HOSTS`.',
    reason: 'A plane has no network.',
    test: [
      'test/planes/admission.test.ts',
      'R31: a webhook on a host that is not allowed fails closed',
    ],
  },
  {
    id: 'D10',
    topic: 'paths',
    difference:
      'Paths with dot segments, backslashes or encoded slashes are 400. No object has such a name.',
    reason: 'Proxies and servers read such paths differently.',
    test: ['test/planes/hostile.test.ts', 'R38: paths'],
  },
  {
    id: 'D11',
    topic: 'deprecated paths',
    difference: '`/api/v1/watch/...` is not served. Use `watch=true`.',
    reason: 'Kubernetes deprecates them.',
  },
  {
    id: 'D12',
    topic: 'OpenAPI v3',
    difference: 'Documents of other servers (APIServices) are JSON, even if protobuf is preferred.',
    reason: 'The server does not convert documents of others.',
  },
  {
    id: 'D13',
    topic: 'mutating policies',
    difference:
      '`mutatingadmissionpolicies` are always served, as `v1` and `v1beta1`. In Kubernetes 1.35, `v1beta1` is off by default and there is no `v1`. Clients that ask discovery use `v1`, as in Kubernetes 1.36; typed clients of 1.35 use `v1beta1`.',
    reason: 'Clients of later releases use them.',
    test: [
      'test/planes/conformance/specs/policy-specs.ts',
      'R31: $kind is the same object in both versions',
    ],
  },
  {
    id: 'D14',
    topic: 'reinvocation',
    difference: 'A mutating policy that runs again does not cause webhooks to run again.',
    reason: 'Each webhook is called at most twice.',
    test: [
      'src/planes/admission/policies/mutating-policies.test.ts',
      'R31: IfNeeded repeats a policy once after later changes',
    ],
  },
  {
    id: 'D15',
    topic: 'type checking',
    difference:
      'Unknown fields of `request` and `namespaceObject` are warnings of `status.typeChecking`. In Kubernetes, the policy is rejected.',
    reason: 'Policies that earlier servers accepted keep working.',
    test: ['src/planes/admission/policies/policy-warnings.test.ts', 'R31: %s has a warning'],
  },
  {
    id: 'D16',
    topic: 'CEL budget',
    difference:
      'All rules of an object may take 3 million steps together, instead of 10 million, and one search or match in a text, or one URL, 250 000 (`matches` 41 000, `find` and `findAll` 25 000; classes of Unicode such as `\\pL` count twice). A `pattern` of a schema has the limit of `matches`. `size` of a text takes a step for each 100 characters, and `join` one for each 10 items.',
    reason: '[Decision 89](decisions/0089-an-own-cel-engine.md).',
    test: [
      'src/planes/schemas/rules/rule-errors.test.ts',
      'R36: stops when the rules of an object take too many steps',
    ],
  },
  {
    id: 'D17',
    topic: 'priority and fairness',
    difference:
      'Only the root plane has flow schemas, for requests of all APIs. `catch-all` stands for the class of the caller. `lendablePercent`, `queues` and `exempt` have no effect. Watches do not show `Dangling`. `/metrics` has the seats of the levels only, and public paths have no `X-Kubernetes-PF-*`.',
    reason: '[Decision 104](decisions/0104-flow-schemas-choose-classes.md).',
    test: [
      'src/planes/flow-control/flow-control.test.ts',
      'skips flow schemas whose level does not exist',
    ],
  },
  {
    id: 'D18',
    topic: 'OpenAPI v2',
    difference: 'It does not include the resources of other servers. OpenAPI v3 does.',
    reason: 'kubectl uses v3.',
  },
  {
    id: 'D19',
    topic: 'probes',
    difference: 'The checks of `/livez` and `/readyz` have their own names.',
    reason: 'They name the parts of this server.',
  },
  {
    id: 'D20',
    topic: 'authentication',
    difference:
      'Clients do not authenticate with certificates, and `certificates.k8s.io` is not served. A server without authentication accepts all credentials.',
    reason: 'The server authenticates the callers of [all its APIs](authentication.md).',
  },
  {
    id: 'D21',
    topic: 'early versions',
    difference: 'Kinds have their newest version only, not the alpha and beta versions before it.',
    reason: 'Clients use the newest version.',
  },
  {
    id: 'D22',
    topic: 'last finalizers',
    difference:
      'If a write removes the last finalizer of a deleted object, the event `DELETED` has the object as this write made it. In Kubernetes, it has the state before the write, with the finalizer.',
    reason: 'The log has the states that writes make.',
  },
  {
    id: 'D23',
    topic: 'large lists',
    difference:
      'A page whose JSON has more than 256 MiB ends before its `limit`, with a `continue` token. A list without `limit` is 413 then.',
    reason: 'A response is one string in memory.',
    test: [
      'src/planes/operations/reads/bound-page.test.ts',
      'a list without pages is 413 if it is too long',
    ],
  },
]
