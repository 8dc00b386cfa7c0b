/** Reading one large CRD: ours beside the `yaml` package and js-yaml, in one run. */
import { loadAll } from 'js-yaml';
import { parseAllDocuments } from 'yaml';
import { parseStream } from '../../server/src/yaml/parse.ts';
import { valueOf } from '../../server/src/yaml/value.ts';

const size = 1_400_000;
const rounds = 7;

/** A CRD of nested properties with descriptions, as generators write them. */
export function largeCrd(length: number): string {
  const head = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  names: {plural: widgets, kind: Widget}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
`;
  const parts = [head];
  for (let i = 0, done = head.length; done < length; i++) {
    const part = property(i);
    parts.push(part);
    done += part.length;
  }
  return parts.join('');
}

function property(i: number): string {
  return `          field${i}:
            description: |-
              Field number ${i} says how the widget behaves, in more words than
              anyone wants to read: "quoted", and with a colon: like this.

              More information: https://example.com/docs/field${i}#usage
            properties:
              name:
                description: Name of the referent, which must be unique within the namespace
                  of the widget and is immutable.
                type: string
                maxLength: ${i % 253}
                pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$'
              mode:
                default: Auto
                enum:
                - Auto
                - "Off"
                type: string
              ports:
                items:
                  format: int32
                  type: integer
                type: array
                x-kubernetes-list-type: atomic # as in a Service
            required:
            - name
            type: object
            x-kubernetes-validations:
            - message: mode needs a name
              rule: '!has(self.mode) || size(self.name) > ${i}'
`;
}

/** Milliseconds of the fastest round. */
function fastest(run: () => unknown): number {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < rounds; i++) {
    const start = performance.now();
    run();
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

/** Megabytes of heap that a result holds; undefined without --expose-gc. */
function held(make: () => unknown): number | undefined {
  const { gc } = globalThis;
  if (!gc) return undefined;
  const results: unknown[] = [];
  gc();
  const before = process.memoryUsage().heapUsed;
  results.push(make());
  gc();
  const after = process.memoryUsage().heapUsed;
  return results.length === 1 ? (after - before) / 1e6 : undefined;
}

export async function bench(): Promise<void> {
  const { setFlagsFromString } = await import('node:v8');
  const { runInNewContext } = await import('node:vm');
  setFlagsFromString('--expose-gc');
  globalThis.gc ??= runInNewContext('gc') as NodeJS.GCFunction;
  const text = largeCrd(size);
  const rows: readonly (readonly [string, () => unknown])[] = [
    ['ours, tree', () => parseStream(text)],
    ['ours, tree and value', () => valueOf(parseStream(text).documents[0]!.document)],
    ['yaml parseAllDocuments', () => parseAllDocuments(text)],
    ['yaml parseAllDocuments, value', () => parseAllDocuments(text).map((one) => one.toJS())],
    ['js-yaml loadAll (value only)', () => loadAll(text)],
  ];
  const times = rows.map(([name, run]) => ({ name, ms: fastest(run), heap: held(run) }));
  const own = times[0]!.ms;
  console.log(`${(text.length / 1e6).toFixed(2)} MB, ${text.split('\n').length} lines, fastest of ${rounds}`);
  for (const { name, ms, heap } of times) {
    const speed = (text.length / 1e3 / ms).toFixed(1);
    console.log(
      `${name.padEnd(32)} ${ms.toFixed(1).padStart(8)} ms ${speed.padStart(7)} MB/s ${(ms / own).toFixed(1).padStart(6)}x ${heap?.toFixed(1) ?? '?'} MB heap`,
    );
  }
}
