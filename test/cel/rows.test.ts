import assert from 'node:assert/strict';
import { test } from 'node:test';
import { baseEnvironment } from '../../server/src/kubernetes/cel/environment.ts';
import { evalRules } from '../../server/src/kubernetes/cel/runtime.ts';
import { kubernetesVersions } from '../../server/src/kubernetes/releases/all.ts';

/** What the planner knows by name instead of calling. */
const planned = new Set(
  '_&&_ _||_ _?_:_ _==_ _!=_ _[_] _?._ _[?_] or orValue @not_strictly_false __not_strictly_false__'.split(' '),
);

for (const version of kubernetesVersions) {
  const { functions } = baseEnvironment(version, Number.POSITIVE_INFINITY);
  const rules = evalRules(version);
  const rows = [...functions.values()].flatMap((fn) => fn.overloads);

  test(`every overload of ${version.name} can be called`, () => {
    assert.ok(rows.length > 250, `${rows.length} rows`);
    const missing = rows.filter(
      ({ id, name }) => !planned.has(name) && !rules.singletons.has(name) && !rules.impls.has(id),
    );
    assert.deepEqual(
      missing.map((row) => row.id),
      [],
    );
  });

  test(`every overload of ${version.name} with a price of its own has one beforehand and one when called`, () => {
    const onlyBefore = rows.filter((row) => row.estimate && !rules.costs(row.name, row.id));
    const onlyAfter = rows.filter((row) => !row.estimate && rules.costs(row.name, row.id));
    // Adding lists says of sizes, not of costs; the global matches() cost nothing before 1.37;
    // ip() of a network has the name of a function with a price, and none itself.
    const free = version.cel.cost.pricesGlobalMatches ? ['add_list'] : ['add_list', 'matches'];
    assert.deepEqual([onlyBefore.map((row) => row.id), onlyAfter.map((row) => row.id)], [free, ['cidr_ip']]);
  });
}
