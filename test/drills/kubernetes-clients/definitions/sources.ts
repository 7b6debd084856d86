/** The definitions of a project: YAML files in folders of its Go module. */
export interface DefinitionSource {
  readonly project: string
  readonly module: string
  readonly folders: readonly string[]
}

/** Projects whose definitions are large, and whose Go modules contain them. */
export const DEFINITION_SOURCES: readonly DefinitionSource[] = [
  {
    project: 'Argo CD',
    module: 'github.com/argoproj/argo-cd/v3@v3.0.12',
    folders: ['manifests/crds'],
  },
  {
    project: 'Argo Workflows',
    module: 'github.com/argoproj/argo-workflows/v3@v3.6.10',
    folders: ['manifests/base/crds/minimal'],
  },
  {
    project: 'cert-manager',
    module: 'github.com/cert-manager/cert-manager@v1.18.2',
    folders: ['deploy/crds'],
  },
  {
    project: 'Cluster API',
    module: 'sigs.k8s.io/cluster-api@v1.11.2',
    folders: [
      'config/crd/bases',
      'bootstrap/kubeadm/config/crd/bases',
      'controlplane/kubeadm/config/crd/bases',
      'cmd/clusterctl/config/crd/bases',
    ],
  },
  {
    project: "Cluster API's provider of Docker",
    module: 'sigs.k8s.io/cluster-api/test@v1.13.8',
    folders: ['infrastructure/docker/config/crd/bases'],
  },
  {
    project: 'Crossplane',
    module: 'github.com/crossplane/crossplane/v2@v2.0.2',
    folders: ['cluster/crds', 'cluster/meta'],
  },
  {
    project: 'External Secrets',
    module: 'github.com/external-secrets/external-secrets@v1.3.2',
    folders: ['config/crds/bases'],
  },
  {
    project: 'Gateway API',
    module: 'sigs.k8s.io/gateway-api@v1.4.1',
    folders: ['config/crd/experimental'],
  },
  {
    project: 'Istio',
    module: 'istio.io/api@v1.32.0',
    folders: ['kubernetes'],
  },
  {
    project: 'KEDA',
    module: 'github.com/kedacore/keda/v2@v2.17.2',
    folders: ['config/crd/bases'],
  },
  {
    project: 'kro',
    module: 'github.com/kubernetes-sigs/kro@v0.9.4',
    folders: ['helm/crds'],
  },
  {
    project: 'controllers of AWS, which kro tests with',
    module: 'github.com/kubernetes-sigs/kro@v0.9.4',
    folders: [
      'test/integration/crds/ack-ec2-controller',
      'test/integration/crds/ack-eks-controller',
      'test/integration/crds/ack-iam-controller',
    ],
  },
  {
    project: 'Prometheus Operator',
    module: 'github.com/prometheus-operator/prometheus-operator@v0.84.0',
    folders: ['example/prometheus-operator-crd-full'],
  },
  {
    project: 'volume snapshots',
    module: 'github.com/kubernetes-csi/external-snapshotter/client/v8@v8.7.0',
    folders: ['config/crd'],
  },
]
