import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMap, type Path, type Value, type ValueMap, valueAt } from '../../server/src/base/value.ts';
import { crdSchema } from '../../server/src/kubernetes/api/crdSchema.ts';
import { keywordDoc } from '../../server/src/kubernetes/api/editor.ts';
import { createCrd } from '../../server/src/kubernetes/crd/create.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';

import { parseDocument } from '../../server/src/yaml/parse.ts';
import { valueOf } from '../../server/src/yaml/value.ts';

/** The parts of a CRD, by where they are described and by where their examples belong. */
const version = ['spec', 'versions', 0];
const sample = [...version, 'schema', 'openAPIV3Schema', 'properties', 'spec', 'properties', 'sample'];
const conversion = ['spec', 'conversion'];
const clientConfig = [...conversion, 'webhook', 'clientConfig'];
const schema = described([...version, 'schema', 'openAPIV3Schema']);
const junctor = described([...version, 'schema', 'openAPIV3Schema', 'not']);
const parts: readonly (readonly [node: ValueMap, path: Path])[] = [
  [schema, sample],
  [junctor, sample],
  ...[
    [...sample.slice(0, 5), 'externalDocs'],
    [...sample.slice(0, 5), 'x-kubernetes-validations', 0],
  ].map((path) => [described(path), [...sample, ...path.slice(5)]] as const),
  ...[
    version,
    [...version, 'additionalPrinterColumns', 0],
    [...version, 'subresources'],
    [...version, 'subresources', 'scale'],
    conversion,
    [...conversion, 'webhook'],
    clientConfig,
    [...clientConfig, 'service'],
    ['spec', 'names'],
    ['spec'],
  ].map((path) => [described(path), path] as const),
];

/** The editor's schema of what is at a path of a CRD. */
function described(path: Path): ValueMap {
  const steps = path.flatMap((step) => (typeof step === 'number' ? ['items'] : ['properties', step]));
  const node = valueAt(crdSchema, steps);
  assert.ok(isMap(node), path.join('.'));
  return node;
}

const base = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: samples.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: samples, kind: Sample}
  conversion: {strategy: None}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                size: {type: integer}
                sample: {type: object, properties: {size: {type: integer}, max: {type: integer}}}
            status: {type: object, properties: {size: {type: integer}, selector: {type: string}}}
`;

const webhook = `strategy: Webhook
webhook: {conversionReviewVersions: [v1], clientConfig: {service: {namespace: default, name: converter}}}
`;

function read(text: string): Value {
  const document = parseDocument(text);
  assert.equal(document.readerError, undefined, text);
  return valueOf(document)!;
}

/** A value with another one at a path; maps there are joined, all else is replaced. */
function withAt(value: Value | undefined, [step, ...rest]: Path, put: Value, replace: boolean): Value {
  if (step === undefined) return isMap(value) && isMap(put) && !replace ? new Map([...value, ...put]) : put;
  if (typeof step === 'number') {
    const items = Array.isArray(value) ? [...(value as readonly Value[])] : [];
    items[step] = withAt(items[step], rest, put, replace);
    return items;
  }
  const map = new Map(isMap(value) ? value : []);
  return map.set(step, withAt(map.get(step), rest, put, replace));
}

/** Keywords of a schema stand alone; `url` and `service` cannot both be set; everything else adds to what is there. */
function sampleCrd(node: ValueMap, path: Path, example: string): Value {
  const whole = path.includes('webhook') ? withAt(read(base), ['spec', 'conversion'], read(webhook), true) : read(base);
  const replace = node === schema || node === junctor || path.at(-1) === 'clientConfig';
  const typed = path.at(-1) === 'externalDocs' ? withAt(whole, path.slice(0, -1), read('type: string'), true) : whole;
  return withAt(typed, path, read(example), replace);
}

for (const [node, path] of parts) {
  const properties = node.get('properties') as ValueMap;
  for (const keyword of properties.keys()) {
    test(`${path.at(-1)}: ${keyword} is documented, and its example is accepted`, () => {
      const doc = keywordDoc(node, keyword);
      assert.ok(doc, 'not documented');
      assert.match(doc.since, /^1\.\d\d$/);
      assert.match(doc.demands, /[.]$/);
      assert.ok(new RegExp(`(^|[\\s{])${keyword}:`).test(doc.example), 'the example does not show it');
      const { decode, panic, errors, strict, warnings } = createCrd(sampleCrd(node, path, doc.example) as ValueMap, {
        kubernetes: newestVersion,
      });
      assert.deepEqual(
        { decode, panic, errors, strict, warnings },
        { decode: undefined, panic: undefined, errors: [], strict: [], warnings: [] },
      );
    });
  }
}
