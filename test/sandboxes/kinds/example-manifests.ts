/**
 * Manifests with the fields of agent-sandbox's examples, by the feature that they show. Their programs need no
 * image.
 */
export const EXAMPLE_MANIFESTS: Readonly<Record<string, string>> = {
  'a program that ends': `
apiVersion: agents.x-k8s.io/v1beta1
kind: Sandbox
metadata:
  name: greeting
spec:
  podTemplate:
    spec:
      containers:
      - name: main
        command: ["/bin/echo", "good morning"]
      restartPolicy: Never
`,
  'a web server with ports and an annotation': `
apiVersion: agents.x-k8s.io/v1beta1
kind: Sandbox
metadata:
  name: web
  labels: {app: web}
spec:
  operatingMode: Running
  service: true
  podTemplate:
    metadata:
      labels: {sandbox: web}
      annotations: {example.com/owner: team-a}
    spec:
      automountServiceAccountToken: false
      terminationGracePeriodSeconds: 5
      nodeSelector: {pool: general}
      containers:
      - name: web
        command: ["/usr/bin/python3", "-m", "http.server", "8888"]
        ports:
        - containerPort: 8888
          protocol: TCP
        - containerPort: 9999
`,
  'a workspace on a claim and an emptyDir': `
apiVersion: agents.x-k8s.io/v1beta1
kind: Sandbox
metadata:
  name: workspace
spec:
  shutdownTime: "2036-01-01T00:00:00Z"
  shutdownPolicy: Delete
  volumeClaimTemplates:
  - metadata:
      name: data
      labels: {app: workspace}
    spec:
      accessModes: ["ReadWriteOnce"]
      storageClassName: standard
      volumeMode: Filesystem
      resources:
        requests:
          storage: 10Gi
  podTemplate:
    spec:
      securityContext: {runAsUser: 1000, runAsGroup: 1000, fsGroup: 1000}
      containers:
      - name: shell
        imagePullPolicy: IfNotPresent
        command: ["/bin/sh", "-c"]
        args:
        - |
          date >> data/starts
          sleep 3600
        workingDir: /
        env:
        - name: TOKEN
          valueFrom: {secretKeyRef: {name: token, key: latest}}
        - name: HOME_DIR
          value: /data
        securityContext:
          allowPrivilegeEscalation: false
          capabilities: {drop: [ALL]}
        resources:
          requests: {cpu: 25m, memory: 32Mi}
          limits: {cpu: "2", memory: 1Gi}
        volumeMounts:
        - {name: data, mountPath: /data}
        - {name: scratch, mountPath: /scratch, readOnly: true}
      volumes:
      - name: scratch
        emptyDir: {}
`,
  'a template with policies': `
apiVersion: extensions.agents.x-k8s.io/v1beta1
kind: SandboxTemplate
metadata:
  name: serving
spec:
  networkPolicyManagement: Managed
  networkPolicy:
    ingress:
    - from:
      - podSelector: {matchLabels: {app: client}}
      ports:
      - {protocol: TCP, port: 8000}
    egress: []
  envVarsInjectionPolicy: Allowed
  volumeClaimTemplatesPolicy: Disallowed
  generatedSecrets:
  - name: session
    data:
    - key: token
      lengthBytes: 48
  podTemplate:
    metadata:
      labels: {app: server}
    spec:
      containers:
      - name: app
        command: ["/bin/sleep", "3600"]
        volumeMounts:
        - {name: tmp, mountPath: /tmp}
      volumes:
      - name: tmp
        emptyDir: {}
`,
  'a pool': `
apiVersion: extensions.agents.x-k8s.io/v1beta1
kind: SandboxWarmPool
metadata:
  name: serving
spec:
  replicas: 2
  sandboxTemplateRef: {name: serving}
  updateStrategy: {type: Recreate}
`,
  'a claim of a pool': `
apiVersion: extensions.agents.x-k8s.io/v1beta1
kind: SandboxClaim
metadata:
  name: serving-a
spec:
  warmPoolRef: {name: serving}
  additionalPodMetadata:
    labels: {example.com/group: demo}
  lifecycle:
    shutdownPolicy: DeleteForeground
    ttlSecondsAfterFinished: 60
  safeToEvict: "false"
  env:
  - {name: ROLE, value: demo, containerName: app}
`,
  'a provider and a sandbox that hibernates with it': `
apiVersion: agents.x-k8s.io/v1beta1
kind: SnapshotProvider
metadata:
  name: s3-fast
spec:
  providerType: process
  s3:
    bucket: checkpoints
    region: us-west-2
---
apiVersion: agents.x-k8s.io/v1beta1
kind: Sandbox
metadata:
  name: billing-agent
spec:
  operatingMode: Suspended
  suspensionStrategy:
    type: Hibernate
    hibernate:
      snapshotProviderRef:
        name: s3-fast
  podTemplate:
    spec:
      containers:
      - {name: main, command: [/bin/sleep, "3600"]}
`,
  'a class, a claim, a template of claims and a sandbox that uses it': `
apiVersion: agents.x-k8s.io/v1beta1
kind: SnapshotClass
metadata:
  name: process-fast
  annotations:
    snapshotclass.agents.x-k8s.io/is-default-class: "true"
provisioner: process
parameters:
  endpoint: "https://s3.us-west-2.example.com"
---
apiVersion: agents.x-k8s.io/v1beta1
kind: SnapshotClaim
metadata:
  name: default-claim
spec:
  snapshotClassName: process-fast
  parameters:
    region: us-west-2
    bucket: checkpoints
    prefix: team-a/shared
---
apiVersion: agents.x-k8s.io/v1beta1
kind: SnapshotClaimTemplate
metadata:
  name: team-a-s3
spec:
  metadata:
    labels:
      agents.x-k8s.io/snapshot-profile: team-a-s3
  spec:
    snapshotClassName: process-fast
    parameters: {region: us-west-2, bucket: checkpoints, prefix: team-a}
---
apiVersion: agents.x-k8s.io/v1beta1
kind: Sandbox
metadata:
  name: research-agent
spec:
  suspensionStrategy:
    type: Hibernate
    hibernate:
      snapshotClaimTemplateName: team-a-s3
  podTemplate:
    spec:
      containers:
      - {name: main, command: [/bin/sleep, "3600"]}
`,
}
