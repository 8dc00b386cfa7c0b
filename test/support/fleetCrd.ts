import { type Random, seeded } from './random.ts';

// Material in the shapes of the largest public CRDs: templates of pods in templates of generators, each field with a
// paragraph of description as controller-gen prints it, rules beside them. The same seed gives the same text.

const words =
  'the a of to that which field object container pod volume name value must be set when if not is are used by for node will'.split(
    ' ',
  );

function sentence(random: Random, length: number): string {
  const text = Array.from({ length }, () => random.pick(words)).join(' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** What describes a field: one line, or a block of several. */
function description(random: Random, pad: string): string {
  if (random.chance(0.4)) return `${pad}description: ${sentence(random, 8)}\n`;
  const lines = Array.from({ length: 2 + random.below(4) }, () => `${pad}  ${sentence(random, 12)}\n`);
  return `${pad}description: |-\n${lines.join('')}`;
}

/** A field's schema after its key, at an indent. */
type Shape = (random: Random, pad: string) => string;

const text: Shape = (random, pad) =>
  `${description(random, pad)}${random.chance(0.3) ? `${pad}maxLength: 253\n` : ''}${pad}type: string\n`;

const pattern: Shape = (random, pad) =>
  `${description(random, pad)}${pad}maxLength: 63\n${pad}pattern: ^[a-z0-9]([-a-z0-9]*[a-z0-9])?$\n${pad}type: string\n`;

const count: Shape = (random, pad) =>
  `${pad}default: ${random.below(10)}\n${description(random, pad)}${pad}format: int32\n${pad}minimum: 0\n${pad}type: integer\n`;

const quantity: Shape = (random, pad) =>
  `${pad}anyOf:\n${pad}- type: integer\n${pad}- type: string\n${description(random, pad)}${pad}pattern: ^(\\+|-)?[0-9]+(m|Ki|Mi|Gi)?$\n${pad}x-kubernetes-int-or-string: true\n`;

function object(fields: Readonly<Record<string, Shape>>, rules = 0, required: readonly string[] = []): Shape {
  return (random, pad) => {
    const names = Object.keys(fields).sort();
    const properties = names.map((name) => `${pad}  ${name}:\n${fields[name]!(random, `${pad}    `)}`).join('');
    const demands = required.map((name) => `${pad}- ${name}\n`).join('');
    const validations = Array.from({ length: rules }, (_, i) => rule(names[i % names.length]!, i, pad)).join('');
    return [
      `${description(random, pad)}${pad}properties:\n${properties}`,
      demands && `${pad}required:\n${demands}`,
      `${pad}type: object\n`,
      validations && `${pad}x-kubernetes-validations:\n${validations}`,
    ].join('');
  };
}

function rule(name: string, i: number, pad: string): string {
  return `${pad}- message: ${name} must stay ${i}\n${pad}  rule: has(self.${name}) || !has(self.${name})\n`;
}

function list(of: Shape, key?: string): Shape {
  return (random, pad) =>
    [
      `${description(random, pad)}${pad}items:\n${of(random, `${pad}  `)}${pad}maxItems: 16\n${pad}type: array\n`,
      key === undefined
        ? `${pad}x-kubernetes-list-type: atomic\n`
        : `${pad}x-kubernetes-list-map-keys:\n${pad}- ${key}\n${pad}x-kubernetes-list-type: map\n`,
    ].join('');
}

const map: Shape = (random, pad) =>
  `${pad}additionalProperties:\n${pad}  type: string\n${description(random, pad)}${pad}type: object\n`;

const keyRef = object({ key: text, name: text, optional: text }, 0, ['key']);
const selector = object({
  matchExpressions: list(object({ key: text, operator: pattern, values: list(text) }, 1, ['key', 'operator'])),
  matchLabels: map,
});
const probe = object({
  exec: object({ command: list(text) }),
  failureThreshold: count,
  httpGet: object({ host: text, path: text, port: quantity, scheme: pattern }, 1),
  periodSeconds: count,
  tcpSocket: object({ host: text, port: quantity }),
});
const container = object(
  {
    args: list(text),
    env: list(
      object({ name: pattern, value: text, valueFrom: object({ configMapKeyRef: keyRef, secretKeyRef: keyRef }, 1) }),
    ),
    image: text,
    livenessProbe: probe,
    name: pattern,
    ports: list(object({ containerPort: count, hostIP: text, name: pattern, protocol: pattern }, 1)),
    readinessProbe: probe,
    resources: object({ limits: map, requests: map, claims: list(object({ name: pattern }, 0, ['name']), 'name') }),
    startupProbe: probe,
    volumeMounts: list(object({ mountPath: text, name: pattern, subPath: text }, 1)),
  },
  2,
  ['name'],
);
const affinity = object({
  nodeAffinity: object({ preferred: list(object({ preference: selector, weight: count })), required: selector }),
  podAffinity: object({ preferred: list(object({ term: selector, topologyKey: text }, 1)), required: list(selector) }),
});
const podTemplate = object({
  metadata: object({ annotations: map, labels: map, name: pattern }),
  spec: object(
    {
      affinity,
      containers: list(container, 'name'),
      initContainers: list(container, 'name'),
      nodeSelector: map,
      priority: count,
      volumes: list(
        object({ emptyDir: object({ sizeLimit: quantity }), name: pattern, secret: keyRef }, 1, ['name']),
        'name',
      ),
    },
    1,
  ),
});
const generator = object({ selector, template: podTemplate, values: map }, 1);

const head = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  annotations:
    controller-gen.kubebuilder.io/version: v0.17.2
  name: fleets.example.com
spec:
  group: example.com
  names:
    kind: Fleet
    listKind: FleetList
    plural: fleets
    singular: fleet
  scope: Namespaced
  versions:
  - name: v1alpha1
    schema:
      openAPIV3Schema:
        properties:
          apiVersion:
            type: string
          kind:
            type: string
          metadata:
            type: object
          spec:
            properties:
`;
const tail = `            type: object
        type: object
    served: true
    storage: true
    subresources:
      status: {}
`;

/** A CRD of about this many characters, in which no two parts are equal, or all that can be. */
export function fleetCrd(length: number, parts: 'differ' | 'repeat' = 'differ'): string {
  let random = seeded(5);
  let out = head;
  const pad = ' '.repeat(14);
  for (let i = 0; out.length < length; i++) {
    if (parts === 'repeat') random = seeded(5);
    const matrix = i % 2 === 0 ? generator : object({ generators: list(generator) });
    out += `${pad}generator${i}:\n${matrix(random, `${pad}  `)}`;
  }
  return out + tail;
}

export interface Edit {
  readonly name: string;
  /** The offset, and the text that is typed there. */
  readonly at: number;
  readonly put: string;
}

/** What a person types into a CRD, each in the middle of it. */
export function editsOf(crd: string): readonly Edit[] {
  /** Behind the next match of a line's part, from the middle on. */
  const behind = (part: RegExp): number => {
    const found = new RegExp(part, 'gm');
    found.lastIndex = crd.length / 2;
    const match = found.exec(crd);
    if (!match) throw new Error(`no ${part} in the second half`);
    return match.index + match[0].length;
  };
  const field = behind(/^ +type: integer\n(?= +hostIP)/);
  const pad = /^ */.exec(crd.slice(field))![0];
  const pasted = Array.from({ length: 100 }, (_, i) => `${pad}pasted${i}:\n${pad}  type: string\n`).join('');
  return [
    { name: 'in a description', at: behind(/description: [A-Z][a-z]+/), put: 'x' },
    { name: 'in a key', at: behind(/^ +hostI/), put: 'x' },
    { name: 'a new line', at: behind(/^ +maxLength: 253/), put: '\n' },
    { name: 'in a rule', at: behind(/rule: has\(self\.\w+\)/), put: ' ' },
    { name: 'in a pattern', at: behind(/pattern: \^\[a-z/), put: 'A' },
    { name: 'at the top', at: crd.indexOf('\n') + 1, put: '\n' },
    { name: '200 lines pasted', at: field, put: pasted },
  ];
}
