import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Value } from '../../server/src/base/value.ts';
import { runCase, serving } from '../../server/src/crdtest/run.ts';
import type { Expected, ExpectedError, TestCase } from '../../server/src/crdtest/suite.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { readAnswers } from '../conformance/answers.ts';
import { type Case, loadCases } from '../conformance/cases.ts';
import { bodyOf } from '../conformance/ops/body.ts';
import { parseRequest } from '../conformance/protocol.ts';

// What real Kubernetes code answered, written as an expectation, passes; with one error less or more it fails.

interface Recorded {
  readonly decode?: string;
  readonly strict?: readonly string[];
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
}

function expectedOf({ decode, strict = [], errors = [] }: Recorded): ExpectedError[] {
  if (decode !== undefined) return [{ message: decode }];
  return [...strict.map((message) => ({ message })), ...errors.map(({ field, message }) => ({ field, message }))];
}

function expecting(errors: readonly ExpectedError[]): Expected {
  const none = { warnings: undefined, stored: undefined, exactly: false, message: undefined, cost: undefined };
  return { outcome: errors.length > 0 ? 'errors' : 'valid', errors, more: false, ...none };
}

const files = loadCases((name) => name.startsWith('cr/'));
for (const file of files) {
  const answers = readAnswers(file.name);
  const creates = file.cases.filter(({ op }) => op === 'cr.create');
  test(`${file.name}: what the server answers to ${creates.length} objects`, () => {
    for (const one of creates) holds(one, answers.get(one.name)?.newest as Recorded);
  });
}

test('there are cases enough', () => {
  assert.ok(files.flatMap(({ cases }) => cases).filter(({ op }) => op === 'cr.create').length > 2_000);
});

function holds({ name, request: text }: Case, answer: Recorded): void {
  const request = parseRequest(text);
  const [crd, object] = [bodyOf(request, 'crd'), bodyOf(request, 'obj')];
  // A CRD that a server refuses, and text that it cannot read, never get as far as a case.
  if ('error' in crd || 'error' in object || object.strict.length > 0) return;
  // This message repeats the body of the request, and cases have objects.
  if (answer.decode?.startsWith('Object ')) return;
  const served = serving(crd.json as Value, newestVersion);
  if ('refused' in served) return;
  const errors = expectedOf(answer);
  const path = ['cases', 0];
  const run = (expected: Expected) => {
    const one: TestCase = {
      name,
      path,
      expected,
      request: { verb: 'create', object: { of: { base: '' }, patches: [] } },
    };
    return runCase(one, { object: object.json as Value }, served, newestVersion).failures;
  };
  assert.deepEqual(run(expecting(errors)), [], name);
  assert.notDeepEqual(run(expecting([...errors, { contains: 'never said' }])), [], name);
  const counted = errors.filter(({ message }) => !message?.includes('some validation rules were not checked'));
  if (counted.length > 0) assert.notDeepEqual(run(expecting(errors.filter((one) => one !== counted[0]))), [], name);
}
