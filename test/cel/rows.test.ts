// That a row has a price before evaluation and one after it, or none of both, is a matter of types. What is left: a
// function of several libraries is put together so that each of its overloads can be called.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { baseEnvironment } from '../../server/src/kubernetes/cel/environment.ts';
import { kubernetesVersions } from '../../server/src/kubernetes/releases/all.ts';

for (const version of kubernetesVersions) {
  for (const minor of [version.compatibility, Number.POSITIVE_INFINITY]) {
    const functions = [...baseEnvironment(version, minor).functions.values()];

    test(`every overload of ${version.name} at ${minor} can be called`, () => {
      const rows = functions.flatMap(({ overloads }) => overloads);
      assert.ok(rows.length > 250, `${rows.length} rows`);
      const missing = functions.flatMap((fn) => (fn.does ? [] : fn.overloads.filter(({ impl }) => !impl)));
      assert.deepEqual(
        missing.map((row) => row.id),
        [],
      );
    });

    test(`${version.name} at ${minor} prices calls of several overloads as it prices each`, () => {
      const wrong = functions.filter(({ price, overloads }) => price && !overloads.some((row) => row.price === price));
      assert.deepEqual(
        wrong.map(({ name }) => name),
        [],
      );
    });
  }
}
