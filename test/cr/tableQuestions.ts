// What `npm run record-tables` asks real Kubernetes code, and test/cr/tables.test.ts our own: columns over some objects.

const objects = [
  {
    metadata: { name: 'full', creationTimestamp: '2999-01-01T00:00:00Z', labels: { 'a.b/c': 'label', plain: 'x' } },
    spec: {
      size: 3,
      ratio: 2.5,
      large: 12345678.5,
      big: 9007199254740991,
      tiny: 0.00001,
      whole: 1e6,
      on: true,
      off: false,
      text: 'a <b> & "c"',
      empty: '',
      lines: 'one\ntwo',
      when: 'yesterday',
      list: ['a', 'b', 'c'],
      numbers: [1, 2.5, 3],
      nothing: null,
      one: { inner: { deep: 'x' } },
      object: { b: 1, a: '<x>' },
      'odd key': 1,
      'dotted.key': 'dotted',
      ports: [
        { name: 'http', port: 80, on: true },
        { name: 'https', port: 443, on: false },
        { name: 'odd', extra: 'yes' },
      ],
    },
    status: {
      conditions: [
        { type: 'Ready', status: 'True', reason: "It's" },
        { type: 'Synced', status: 'False', reason: 'a)b' },
      ],
    },
  },
  { metadata: { name: 'bare' } },
  {
    metadata: { name: 'other' },
    spec: { size: 'three', list: [], ports: [{}], one: 7, text: 5 },
    status: { conditions: null },
  },
];

const paths = [
  ...[
    '.spec.ports[?(@.port==)].name',
    '.spec.ports[?(==80)].name',
    '.spec.ports[?(@.port!)].name',
    '.spec.ports[?(@.port==80==80)].name',
  ],
  ...['.metadata.name', '.spec.size', '.spec.ratio', '.spec.large', '.spec.big', '.spec.tiny', '.spec.whole'],
  ...['.spec.on', '.spec.off', '.spec.text', '.spec.empty', '.spec.lines', '.spec.when', '.spec.nothing'],
  ...['.spec.list', '.spec.numbers', '.spec.object', '.spec', '.spec.missing', '.spec.missing.more', '.spec.size.more'],
  ...['.spec.list[0]', '.spec.list[1]', '.spec.list[-1]', '.spec.list[-2]', '.spec.list[5]', '.spec.list[-5]'],
  ...['.spec.list[*]', '.spec.list[:]', '.spec.list[1:]', '.spec.list[:2]', '.spec.list[0:3:2]', '.spec.list[::2]'],
  ...[
    '.spec.list[1:1]',
    '.spec.list[2:1]',
    '.spec.list[0:9]',
    '.spec.list[0:-1]',
    '.spec.list[0:3:0]',
    '.spec.list[0:3:-1]',
  ],
  ...['.spec.list[0,2]', '.spec.list[0, 1 ]', '.spec.list[]', '.spec.list[a]', '.spec.list[0', '.spec.list[0]]'],
  ...['.spec.size[0]', '.spec.object[0]', '.spec.ports[0].name', '.spec.ports[*].port', '.spec.ports[0]'],
  ...[
    '.spec.ports[?(@.name=="https")].port',
    ".spec.ports[?(@.name=='https')].port",
    '.spec.ports[?(@.name==https)].port',
  ],
  ...['.spec.ports[?(@.port>100)].name', '.spec.ports[?(@.port>=80)].name', '.spec.ports[?(@.port<100)].name'],
  ...['.spec.ports[?(@.port<=443)].name', '.spec.ports[?(@.port!=80)].name', '.spec.ports[?(@.port==80.0)].name'],
  ...['.spec.ports[?(@.extra)].name', '.spec.ports[?(@.on==true)].name', '.spec.ports[?(@.on>true)].name'],
  ...[
    '.spec.ports[?(@.name=="none")].port',
    '.spec.ports[?(@.port=80)].name',
    '.spec.ports[?(@.port==80]',
    '.spec.ports[?(@.port==80)',
  ],
  ...['.spec.ports[?(@.extra[0])].name', '.spec.ports[?(@.name>"http")].name', '.spec.ports[?(1==1)].name'],
  ...['.status.conditions[?(@.type=="Ready")].status', '.status.conditions[?(@.type=="Synced")].reason'],
  ...['.status.conditions[?(@.reason=="a)b")].type', '.status.conditions[?(@.reason=="It\\\'s")].type'],
  ...[`.status.conditions[?(@.reason=="It's")].type`, '.status.conditions[?(@.type == "Ready")].status'],
  ...['.spec.one.*', '.spec.one..', '..deep', '.spec..deep', '.spec....deep', '.spec.list.*', '.spec.empty.*'],
  ...["['metadata'].name", ".metadata['name']", ".metadata.labels['a.b/c']", ".metadata.labels['a\\.b/c']"],
  ...['.metadata.labels.a\\.b/c', '.metadata.labels.plain', ".metadata.labels['plain']", '.metadata.labels["plain"]'],
  ...[".spec['odd key']", '.spec.odd key', '.spec.dotted\\.key', ".spec['dotted\\.key']", ".spec['dotted.key']"],
  ...['$.spec.size', '@.spec.size', '.spec.$.size', 'spec.size', '.spec size', '. spec.size', '.spec .size', ''],
  ...['.spec.size}', '.spec.size}{.spec.text', '.spec.size}x{.spec.list[9]', '{.spec.size}', '}', '{'],
  ...[
    '"text"',
    "'text'",
    '"a\\"b"',
    '"a\\n"',
    '"a\\q"',
    '"open',
    '5',
    '-5',
    '5.5',
    '+7',
    '5.5.5',
    '.5',
    'true',
    'false',
    'true.x',
  ],
  ...[
    'range .spec.list[*]',
    'range',
    'end',
    '.spec.list[*]}{end',
    '.spec\n.size',
    '.spec\t.size',
    '.ümlaut',
    '.spec.size!',
    '!',
  ],
  ...[
    "['metadata','spec']",
    "['metadata','spec'].name",
    '.spec.ports[0,1].name',
    '.spec.list[00]',
    '.spec.list[99999999999999999999]',
  ],
  ...[
    '.metadata.creationTimestamp',
    '.spec.text[?(@.a)]',
    '.spec.list[?(@.a)]',
    '.spec.list[?(@=="b")]',
    '.spec.list[?("b")]',
  ],
];

export interface Question {
  readonly path: string;
  readonly type: string;
  /** For the oracle. */
  readonly request: string;
}

export const questions: readonly Question[] = paths.flatMap((path) =>
  ['string', 'integer', 'number', 'boolean', 'date'].map((type) => {
    const columns = [
      { name: 'Before', type: 'string', jsonPath: '.metadata.name' },
      { name: 'Asked', type, jsonPath: path },
    ];
    return { path, type, request: JSON.stringify({ op: 'table', crd: columns, obj: asKind() }) };
  }),
);

/** Go refuses objects without a kind. */
function asKind() {
  return objects.map((object) => ({ apiVersion: 'example.com/v1', kind: 'Box', ...object }));
}
