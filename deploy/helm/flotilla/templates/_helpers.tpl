{{- define "flotilla.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}
{{- else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- define "flotilla.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "flotilla.labels" -}}
{{ include "flotilla.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "flotilla.serviceAccount" -}}
{{- if .Values.serviceAccount.create }}{{ default (include "flotilla.name" .) .Values.serviceAccount.name }}
{{- else }}{{ default "default" .Values.serviceAccount.name }}
{{- end }}
{{- end }}

{{/* Fails if a value contradicts what the chart sets itself. */}}
{{- define "flotilla.validate" -}}
{{- $own := list "DATABASE_URL" "ROLE" "SHUTDOWN_DELAY_MS" "HOST" "PORT" "HEALTH_PORT" "METRICS_PORT" "DATA_DIR" }}
{{- range $own }}
{{- if hasKey $.Values.settings . }}
{{- fail (printf "settings.%s: the chart sets this setting; see values.yaml" .) }}
{{- end }}
{{- end }}
{{- $needed := add .Values.drainSeconds 30 }}
{{- if lt (int .Values.terminationGracePeriodSeconds) (int $needed) }}
{{- fail (printf "terminationGracePeriodSeconds: must be at least %d, which is drainSeconds and 30 seconds" $needed) }}
{{- end }}
{{- end }}

{{/* The URL of the ingress, unless the settings have one. */}}
{{- define "flotilla.publicUrl" -}}
{{- with .Values.ingress }}
{{- if and .enabled .host (not (contains "*" .host)) (not (hasKey $.Values.settings "PUBLIC_URL")) -}}
- name: PUBLIC_URL
  value: {{ printf "%s://%s" (ternary "https" "http" (ne .tlsSecret "")) .host | quote }}
{{- end }}
{{- end }}
{{- end }}

{{/* The names of the services, which servers without authentication must know. */}}
{{- define "flotilla.allowedHosts" -}}
{{- $settings := .Values.settings }}
{{- if and (eq (toString (get $settings "AUTH_DISABLED")) "true") (not (hasKey $settings "ALLOWED_HOSTS")) -}}
{{- $names := list }}
{{- range $suffix := list "" "-metrics" }}
{{- $service := printf "%s%s" (include "flotilla.name" $) $suffix }}
{{- $inNamespace := printf "%s.%s" $service $.Release.Namespace }}
{{- $names = append $names $service }}
{{- $names = append $names $inNamespace }}
{{- $names = append $names (printf "%s.svc" $inNamespace) }}
{{- $names = append $names (printf "%s.svc.cluster.local" $inNamespace) }}
{{- end -}}
- name: ALLOWED_HOSTS
  value: {{ join "," $names | quote }}
{{- end }}
{{- end }}

{{/* The pod of a deployment. Takes the root context, and the role of its servers. */}}
{{- define "flotilla.pod" -}}
{{- $root := .root }}
{{- include "flotilla.validate" $root }}
{{- with $root.Values }}
metadata:
  labels:
    {{- include "flotilla.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ $.component }}
    {{- with .podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with .podAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  serviceAccountName: {{ include "flotilla.serviceAccount" $root }}
  automountServiceAccountToken: false
  enableServiceLinks: false
  terminationGracePeriodSeconds: {{ .terminationGracePeriodSeconds }}
  {{- with .imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    {{- toYaml .podSecurityContext | nindent 4 }}
  containers:
    - name: flotilla
      image: "{{ .image.repository }}:{{ default $root.Chart.AppVersion .image.tag }}"
      imagePullPolicy: {{ .image.pullPolicy }}
      env:
        - name: DATABASE_URL
          valueFrom:
            secretKeyRef:
              name: {{ required "database.existingSecret names the secret with DATABASE_URL" .database.existingSecret }}
              key: {{ .database.key }}
        - name: ROLE
          value: {{ $.role }}
        - name: SHUTDOWN_DELAY_MS
          value: {{ mul .drainSeconds 1000 | quote }}
        - name: SANDBOX_RUNTIME
          value: {{ get .settings "SANDBOX_RUNTIME" | default "off" | quote }}
        {{- /* Pods are what a cluster adds, and a node's cores belong to many of them. */}}
        - name: WORKERS
          value: {{ get .settings "WORKERS" | default "0" | quote }}
        {{- include "flotilla.publicUrl" $root | nindent 8 }}
        {{- include "flotilla.allowedHosts" $root | nindent 8 }}
        {{- range $name, $value := omit .settings "SANDBOX_RUNTIME" "WORKERS" }}
        - name: {{ $name }}
          value: {{ $value | quote }}
        {{- end }}
      {{- with .settingsFrom }}
      envFrom:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      ports:
        - { name: http, containerPort: 8000 }
        - { name: health, containerPort: 8080 }
        - { name: metrics, containerPort: 9090 }
      startupProbe:
        httpGet: { path: /healthz, port: health }
        periodSeconds: 2
        failureThreshold: 30
      livenessProbe:
        httpGet: { path: /healthz, port: health }
        periodSeconds: 10
        timeoutSeconds: 5
      readinessProbe:
        httpGet: { path: /readyz, port: health }
        periodSeconds: 3
        timeoutSeconds: 3
      resources:
        {{- toYaml .resources | nindent 8 }}
      securityContext:
        {{- toYaml .securityContext | nindent 8 }}
      volumeMounts:
        - { name: data, mountPath: /home/node/flotilla }
        - { name: tmp, mountPath: /tmp }
        {{- with .extraVolumeMounts }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
  volumes:
    - { name: data, emptyDir: {} }
    - { name: tmp, emptyDir: {} }
    {{- with .extraVolumes }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "flotilla.selector" $root | nindent 10 }}
          app.kubernetes.io/component: {{ $.component }}
  {{- with .nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
{{- end }}
