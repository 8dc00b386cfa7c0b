// What language models write: manifests in which one thing is invented, misplaced, of another language's spelling or of a
// version that is gone. Each row is a manifest that is valid, and what is changed in it.

export const valid: Readonly<Record<string, string>> = {
  deployment: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels:
    app: web
spec:
  replicas: 3
  minReadySeconds: 5
  revisionHistoryLimit: 2
  progressDeadlineSeconds: 60
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxSurge: 1
      maxUnavailable: 0
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      serviceAccountName: web
      nodeSelector:
        disk: ssd
      terminationGracePeriodSeconds: 30
      tolerations:
        - key: dedicated
          operator: Exists
          effect: NoSchedule
      imagePullSecrets:
        - name: registry
      securityContext:
        runAsNonRoot: true
        runAsUser: 1000
        fsGroup: 2000
      initContainers:
        - name: wait
          image: busybox
          command: [sleep, "1"]
      containers:
        - name: web
          image: nginx:1.27
          imagePullPolicy: IfNotPresent
          args: [serve]
          workingDir: /srv
          ports:
            - name: http
              containerPort: 8080
              protocol: TCP
          env:
            - name: MODE
              value: fast
            - name: TOKEN
              valueFrom:
                secretKeyRef:
                  name: tokens
                  key: web
          envFrom:
            - configMapRef:
                name: settings
          resources:
            requests:
              cpu: 100m
              memory: 64Mi
            limits:
              memory: 128Mi
          livenessProbe:
            httpGet:
              path: /live
              port: http
            initialDelaySeconds: 3
            periodSeconds: 10
            failureThreshold: 3
          readinessProbe:
            tcpSocket:
              port: 8080
            timeoutSeconds: 2
          lifecycle:
            preStop:
              exec:
                command: [sleep, "5"]
          securityContext:
            readOnlyRootFilesystem: true
            allowPrivilegeEscalation: false
            capabilities:
              drop: [ALL]
          volumeMounts:
            - name: data
              mountPath: /data
              readOnly: true
      volumes:
        - name: data
          persistentVolumeClaim:
            claimName: data
`,
  service: `apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  type: ClusterIP
  sessionAffinity: ClientIP
  selector:
    app: web
  ports:
    - name: http
      port: 80
      targetPort: http
      protocol: TCP
`,
  ingress: `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: web
spec:
  ingressClassName: nginx
  tls:
    - hosts: [example.com]
      secretName: tls
  rules:
    - host: example.com
      http:
        paths:
          - path: /
            pathType: Prefix
            backend:
              service:
                name: web
                port:
                  number: 80
`,
  cronjob: `apiVersion: batch/v1
kind: CronJob
metadata:
  name: nightly
spec:
  schedule: "0 3 * * *"
  timeZone: Etc/UTC
  concurrencyPolicy: Forbid
  suspend: false
  startingDeadlineSeconds: 60
  successfulJobsHistoryLimit: 1
  failedJobsHistoryLimit: 1
  jobTemplate:
    spec:
      backoffLimit: 2
      activeDeadlineSeconds: 600
      ttlSecondsAfterFinished: 60
      template:
        spec:
          restartPolicy: Never
          containers:
            - name: run
              image: busybox
`,
  statefulset: `apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: db
spec:
  serviceName: db
  replicas: 1
  podManagementPolicy: Parallel
  selector:
    matchLabels:
      app: db
  template:
    metadata:
      labels:
        app: db
    spec:
      containers:
        - name: db
          image: postgres
          volumeMounts:
            - name: data
              mountPath: /var/lib
  volumeClaimTemplates:
    - metadata:
        name: data
      spec:
        accessModes: [ReadWriteOnce]
        storageClassName: fast
        resources:
          requests:
            storage: 1Gi
`,
  autoscaler: `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: web
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: web
  minReplicas: 1
  maxReplicas: 5
  behavior:
    scaleDown:
      stabilizationWindowSeconds: 60
  metrics:
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: 80
`,
  policy: `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: web
spec:
  podSelector:
    matchLabels:
      app: web
  policyTypes: [Ingress]
  ingress:
    - from:
        - namespaceSelector:
            matchLabels:
              team: a
        - ipBlock:
            cidr: 10.0.0.0/8
            except: [10.1.0.0/16]
      ports:
        - protocol: TCP
          port: 8080
`,
  role: `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: reader
rules:
  - apiGroups: [""]
    resources: [pods]
    resourceNames: [web]
    verbs: [get, list]
`,
  binding: `apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: readers
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: reader
subjects:
  - kind: ServiceAccount
    name: web
    namespace: default
`,
  claim: `apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: data
spec:
  accessModes: [ReadWriteOnce]
  storageClassName: fast
  volumeMode: Filesystem
  resources:
    requests:
      storage: 1Gi
`,
  budget: `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: web
spec:
  minAvailable: 1
  selector:
    matchLabels:
      app: web
`,
  widget: `apiVersion: example.com/v1
kind: Widget
metadata:
  name: w
spec:
  size: 3
  color: red
  schedule: daily
  parts:
    - name: lid
      weight: 2
  backup:
    enabled: true
    keepDays: 7
`,
};

/** The CRD of the one kind that is not built in. */
export const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          required: [spec]
          properties:
            spec:
              type: object
              required: [size]
              properties:
                size: {type: integer, minimum: 1}
                color: {type: string, enum: [red, green, blue]}
                schedule: {type: string, enum: [hourly, daily, weekly]}
                parts:
                  type: array
                  items:
                    type: object
                    required: [name]
                    properties:
                      name: {type: string}
                      weight: {type: integer}
                backup:
                  type: object
                  properties:
                    enabled: {type: boolean}
                    keepDays: {type: integer, maximum: 90}
`;

type Row = readonly [manifest: string, text: string, invented: string];

export const invented: readonly Row[] = [
  ['deployment', '  replicas: 3', '  replica: 3'],
  ['deployment', '  replicas: 3', '  replicaCount: 3'],
  ['deployment', '  replicas: 3', '  replicas: "3"'],
  ['deployment', '  replicas: 3', '  replicas: three'],
  ['deployment', '  minReadySeconds: 5', '  minReadySecs: 5'],
  ['deployment', '  minReadySeconds: 5', '  autoscaling:\n    enabled: true\n    maxReplicas: 5'],
  ['deployment', '  revisionHistoryLimit: 2', '  revisionHistory: 2'],
  ['deployment', '  progressDeadlineSeconds: 60', '  progressDeadline: 60s'],
  ['deployment', '    type: RollingUpdate', '    strategyType: RollingUpdate'],
  ['deployment', '    rollingUpdate:', '    rolling_update:'],
  ['deployment', '      maxSurge: 1', '      max_surge: 1'],
  ['deployment', '      maxUnavailable: 0', '      maxUnavailable: 0\n      timeout: 60s'],
  ['deployment', '    matchLabels:\n      app: web\n  template', '    matchlabels:\n      app: web\n  template'],
  ['deployment', '    app: web\nspec', '    app: web\n  tags: [web]\nspec'],
  ['deployment', '      serviceAccountName: web', '      serviceAccount_name: web'],
  ['deployment', '      nodeSelector:', '      node_selector:'],
  ['deployment', '      terminationGracePeriodSeconds: 30', '      terminationGracePeriod: 30'],
  ['deployment', '      terminationGracePeriodSeconds: 30', '      replicas: 2'],
  ['deployment', '          operator: Exists', '          operation: Exists'],
  ['deployment', '          effect: NoSchedule', '          effects: NoSchedule'],
  ['deployment', '      imagePullSecrets:\n        - name: registry', '      imagePullSecret: registry'],
  ['deployment', '        runAsNonRoot: true', '        runAsNonroot: true'],
  ['deployment', '        runAsNonRoot: true', '        readOnlyRootFilesystem: true'],
  ['deployment', '        runAsUser: 1000', '        user: 1000'],
  ['deployment', '        fsGroup: 2000', '        allowPrivilegeEscalation: false'],
  ['deployment', '      initContainers:', '      initcontainers:'],
  ['deployment', '          image: nginx:1.27', '          image: nginx:1.27\n          tag: "1.27"'],
  ['deployment', '          imagePullPolicy: IfNotPresent', '          pullPolicy: IfNotPresent'],
  ['deployment', '          imagePullPolicy: IfNotPresent', '          image_pull_policy: IfNotPresent'],
  ['deployment', '          args: [serve]', '          arguments: [serve]'],
  ['deployment', '          args: [serve]', '          entrypoint: [serve]'],
  ['deployment', '          workingDir: /srv', '          workdir: /srv'],
  ['deployment', '          workingDir: /srv', '          workingDirectory: /srv'],
  ['deployment', '          workingDir: /srv', '          restartPolicies: Always'],
  ['deployment', '          workingDir: /srv', '          dependsOn: [wait]'],
  ['deployment', '              protocol: TCP', '              proto: TCP'],
  [
    'deployment',
    '              containerPort: 8080',
    '              containerPort: 8080\n              targetPort: 8080',
  ],
  ['deployment', '              containerPort: 8080', '              containerPort: "8080"'],
  ['deployment', '          env:\n', '          envs:\n'],
  ['deployment', '          env:\n', '          environment:\n'],
  ['deployment', '              value: fast', '              val: fast'],
  ['deployment', '              value: fast', '              value: 3'],
  ['deployment', '              value: fast', '              value: true'],
  ['deployment', '              valueFrom:', '              valuefrom:'],
  ['deployment', '                secretKeyRef:', '                secretRef:'],
  ['deployment', '          envFrom:', '          envfrom:'],
  ['deployment', '            - configMapRef:', '            - configmapRef:'],
  ['deployment', '            requests:\n              cpu: 100m', '            request:\n              cpu: 100m'],
  ['deployment', '            limits:\n              memory: 128Mi', '            limit:\n              memory: 128Mi'],
  ['deployment', '            limits:\n              memory: 128Mi', '            memory: 128Mi'],
  ['deployment', '          livenessProbe:', '          liveness:'],
  ['deployment', '          livenessProbe:', '          healthCheck:'],
  ['deployment', '            httpGet:', '            http:'],
  ['deployment', '              path: /live', '              url: /live'],
  ['deployment', '            initialDelaySeconds: 3', '            initialDelay: 3'],
  ['deployment', '            periodSeconds: 10', '            interval: 10'],
  ['deployment', '            periodSeconds: 10', '            periodSeconds: 10s'],
  ['deployment', '            failureThreshold: 3', '            retries: 3'],
  ['deployment', '          readinessProbe:', '          readynessProbe:'],
  ['deployment', '            tcpSocket:', '            tcp:'],
  ['deployment', '            timeoutSeconds: 2', '            timeout: 2'],
  ['deployment', '            preStop:', '            prestop:'],
  ['deployment', '            allowPrivilegeEscalation: false', '            allowPrivilegedEscalation: false'],
  ['deployment', '              drop: [ALL]', '              dropped: [ALL]'],
  ['deployment', '              mountPath: /data', '              mountpath: /data'],
  ['deployment', '              readOnly: true', '              readonly: true'],
  ['deployment', '              readOnly: true', '              mode: ro'],
  ['deployment', '            claimName: data', '            claim: data'],
  ['deployment', '            claimName: data', '            claimName: data\n            size: 1Gi'],
  ['service', '  type: ClusterIP', '  serviceType: ClusterIP'],
  ['service', '  sessionAffinity: ClientIP', '  session_affinity: ClientIP'],
  ['service', '  selector:\n    app: web', '  selector:\n    matchLabels:\n      app: web'],
  ['service', '      targetPort: http', '      targetport: http'],
  ['service', '      targetPort: http', '      containerPort: 8080'],
  ['service', '      port: 80', '      port: "80"'],
  ['ingress', '  ingressClassName: nginx', '  ingressClass: nginx'],
  ['ingress', '            pathType: Prefix', '            pathtype: Prefix'],
  ['ingress', '      secretName: tls', '      secret: tls'],
  ['ingress', '                  number: 80', '                  number: 80\n                  protocol: TCP'],
  ['ingress', '    - host: example.com', '    - hostname: example.com'],
  ['cronjob', '  concurrencyPolicy: Forbid', '  concurrency: Forbid'],
  ['cronjob', '  timeZone: Etc/UTC', '  timezone: Etc/UTC'],
  ['cronjob', '  suspend: false', '  enabled: true'],
  ['cronjob', '  successfulJobsHistoryLimit: 1', '  successfulJobHistoryLimit: 1'],
  ['cronjob', '      backoffLimit: 2', '      backOffLimit: 2'],
  ['cronjob', '      ttlSecondsAfterFinished: 60', '      ttl: 60'],
  ['statefulset', '  serviceName: db', '  serviceName: db\n  volumes: []'],
  ['statefulset', '  podManagementPolicy: Parallel', '  podManagement: Parallel'],
  ['statefulset', '        storageClassName: fast', '        storageClass: fast'],
  ['statefulset', '        accessModes: [ReadWriteOnce]', '        accessModes: ReadWriteOnce'],
  ['autoscaler', '  minReplicas: 1', '  min: 1'],
  ['autoscaler', '          averageUtilization: 80', '          averageUtilization: 80%'],
  ['autoscaler', '      stabilizationWindowSeconds: 60', '      stabilizationWindow: 60'],
  ['policy', '            except: [10.1.0.0/16]', '            exclude: [10.1.0.0/16]'],
  ['policy', '        - namespaceSelector:', '        - namespace:'],
  ['role', '    resourceNames: [web]', '    names: [web]'],
  ['binding', '    namespace: default', '    ns: default'],
  ['claim', '  storageClassName: fast', '  storageClass: fast'],
  ['budget', '  minAvailable: 1', '  minAvailable: 1\n  replicas: 2'],
  ['widget', '  color: red', '  colour: red'],
  ['widget', '  color: red', '  color: crimson'],
  ['widget', '  size: 3', '  size: "3"'],
  ['widget', '  schedule: daily', '  schedule: dayly'],
  ['widget', '      weight: 2', '      mass: 2'],
  ['widget', '    keepDays: 7', '    keepDays: 365'],
  ['widget', '    keepDays: 7', '    retention: 7d'],
];
