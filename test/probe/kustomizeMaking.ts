// Kustomizations to make mistakes in: a base, and an overlay that patches it and generates what it names.
import type { Random } from '../support/random.ts';

/** What a mistake in a file is a mistake in; of an overlay's own kustomization only its generators are changed. */
export interface TreeFile {
  readonly uri: string;
  readonly text: string;
  readonly what: 'base' | 'patch' | 'generator' | 'rest';
}

export const root = 'file:///overlay';

export function kustomizationTree(random: Random): TreeFile[] {
  const name = random.pick(['web', 'api', 'worker']);
  const patches = [strategic(random, name), ...(random.chance(0.5) ? [service(random, name)] : [])];
  const bases = [deployment(random, name), serviceBase(random, name)];
  return [
    rest('file:///base/kustomization.yaml', `resources:\n- deployment.yaml\n- service.yaml\n`),
    { uri: 'file:///base/deployment.yaml', text: bases[0]!, what: 'base' },
    { uri: 'file:///base/service.yaml', text: bases[1]!, what: 'base' },
    ...patches.map((text, i): TreeFile => ({ uri: `${root}/patch-${i}.yaml`, text, what: 'patch' })),
    { uri: `${root}/kustomization.yaml`, text: overlay(random, patches.length), what: 'generator' },
  ];
}

function rest(uri: string, text: string): TreeFile {
  return { uri, text, what: 'rest' };
}

function deployment(random: Random, name: string): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
spec:
  replicas: ${random.below(5) + 1}
  minReadySeconds: ${random.below(30)}
  selector:
    matchLabels:
      app: ${name}
  template:
    metadata:
      labels:
        app: ${name}
    spec:
      restartPolicy: Always
      containers:
      - name: main
        image: ${name}
        tty: ${random.pick(['true', 'false'])}
        ports:
        - containerPort: ${8000 + random.below(1000)}
        envFrom:
        - configMapRef:
            name: settings
`;
}

function serviceBase(random: Random, name: string): string {
  return `apiVersion: v1
kind: Service
metadata:
  name: ${name}
spec:
  type: ${random.pick(['ClusterIP', 'NodePort'])}
  selector:
    app: ${name}
  ports:
  - port: ${80 + random.below(100)}
    protocol: TCP
`;
}

function strategic(random: Random, name: string): string {
  const more = random.pick(['', '      serviceAccountName: robot\n', '      hostNetwork: false\n']);
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
spec:
  replicas: ${random.below(9) + 1}
  revisionHistoryLimit: 3
  template:
    spec:
${more}      containers:
      - name: main
        imagePullPolicy: ${random.pick(['Always', 'IfNotPresent'])}
        stdin: true
`;
}

function service(random: Random, name: string): string {
  return `apiVersion: v1
kind: Service
metadata:
  name: ${name}
spec:
  sessionAffinity: ${random.pick(['None', 'ClientIP'])}
  publishNotReadyAddresses: true
`;
}

function overlay(random: Random, patches: number): string {
  const prefix = random.chance(0.3) ? 'namePrefix: a-\n' : '';
  const namespace = random.chance(0.5) ? 'namespace: prod\n' : '';
  const files = Array.from({ length: patches }, (_, i) => `- path: patch-${i}.yaml\n`).join('');
  return `${prefix}${namespace}resources:
- ../base
patches:
${files}configMapGenerator:
- name: settings
  literals:
  - mode=fast
  - size=${random.below(100)}
secretGenerator:
- name: secrets
  options:
    labels:
      team: ${random.pick(['shop', 'search'])}
  literals:
  - password=x
`;
}
