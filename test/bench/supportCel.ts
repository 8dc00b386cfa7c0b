/** Rules as they are in CRDs, over the sample schema; every peer can at least read them. */
export const rules = [
  'self.n > 1 && self.n <= 100',
  "self.s.size() > 3 || self.s.startsWith('a')",
  "self.items.all(i, i.name != '' && i.ports.all(p, p > 0 && p < 65536))",
  'has(self.obj) && has(self.obj.deep) ? self.obj.deep.x >= 0 : self.n == 0',
  "self.items.exists(i, i.name == self.s) || self.s in ['one', 'two', 'three']",
  "self.strs.filter(x, x.endsWith('z')).size() == 0",
  'size(self.items) <= 10 && size(self.strs) < 5',
  "self.m.all(k, self.m[k].matches('^[a-z]+$'))",
];

export function line(what: string, perSecond: number, own: number): void {
  console.log(
    `${what.padEnd(42)} ${Math.round(perSecond).toLocaleString('en').padStart(10)}/s  ours is ${(own / perSecond).toFixed(1)} ×`,
  );
}

/** A CRD whose `spec` has this schema. */
export function crdOf(spec: unknown): unknown {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      names: { kind: 'Widget', plural: 'widgets' },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
        },
      ],
    },
  };
}

/** A schema as JSON has it. */
export function plainSchema(props: unknown): Record<string, unknown> {
  const { properties, items, additionalProperties, ...rest } = props as Record<string, never> & {
    properties?: Map<string, unknown>;
    items?: { schema: unknown };
    additionalProperties?: { schema: unknown };
  };
  return {
    ...rest,
    ...(properties
      ? { properties: Object.fromEntries([...properties].map(([name, one]) => [name, plainSchema(one)])) }
      : {}),
    ...(items ? { items: plainSchema(items.schema) } : {}),
    ...(additionalProperties ? { additionalProperties: plainSchema(additionalProperties.schema) } : {}),
  };
}

export interface Timed {
  readonly what: string;
  /** How many rules one run goes through. */
  readonly rules: number;
  run(): void;
}

/** Times some ways beside each other and prints them as lines; the rate of the first. */
export function race(ways: readonly [Timed, ...Timed[]]): number {
  const rates = ratesOf(ways.map(({ run }) => run)).map((rate, i) => rate * ways[i]!.rules);
  for (const [i, { what }] of ways.entries()) line(what, rates[i]!, rates[0]!);
  return rates[0]!;
}

export function rateOf(run: () => void, slices = 20): number {
  return ratesOf([run], slices)[0]!;
}

/** Runs a second: the best of many short slices. They take turns, since the machine may have other work. */
function ratesOf(runs: readonly (() => void)[], slices = 20): number[] {
  const best = runs.map(() => 0);
  for (let i = 0; i < slices; i++) {
    for (const [k, run] of runs.entries()) best[k] = Math.max(best[k]!, rateOnce(run));
  }
  return best;
}

function rateOnce(run: () => void): number {
  const start = performance.now();
  let count = 0;
  let took = 0;
  for (; took < 40; took = performance.now() - start) {
    for (let k = 0; k < 4; k++) run();
    count += 4;
  }
  return (count * 1000) / took;
}
