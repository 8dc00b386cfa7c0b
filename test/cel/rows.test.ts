// That a row has a price before evaluation and one after it, or none of both, is a matter of types. What is left: a
// function of several libraries is put together so that each of its overloads can be called.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { baseEnvironment } from '../../server/src/kubernetes/cel/environment.ts';
import { kubernetesVersions } from '../../server/src/kubernetes/releases/all.ts';

for (const version of kubernetesVersions) {
  for (const release of [version.compatibility, version.name]) {
    const functions = [...baseEnvironment(version, release).functions.values()];

    test(`every overload of ${version.name} at ${release} can be called`, () => {
      const rows = functions.flatMap(({ overloads }) => overloads);
      assert.ok(rows.length > 250, `${rows.length} rows`);
      const missing = functions.flatMap((fn) => (fn.does ? [] : fn.overloads.filter(({ impl }) => !impl)));
      assert.deepEqual(
        missing.map((row) => row.id),
        [],
      );
    });

    test(`${version.name} at ${release} prices calls of several overloads as it prices each`, () => {
      const wrong = functions.filter(({ price, overloads }) => price && !overloads.some((row) => row.price === price));
      assert.deepEqual(
        wrong.map(({ name }) => name),
        [],
      );
    });
  }
}
