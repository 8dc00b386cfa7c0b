import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compile } from '../../server/src/cel/compile.ts';
import { explainCost } from '../../server/src/cel/explain.ts';
import { schemaEnvironment } from '../../server/src/kubernetes/cel/environment.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { sampleDecl } from './sample.ts';

const { env, model } = schemaEnvironment(newestVersion, Number.POSITIVE_INFINITY, sampleDecl);
const explain = (text: string) => explainCost(compile(text, env).expr, model);

test('the limit that helps most comes first', () => {
  const { bounds } = explain("self.strs.all(x, self.strs.exists_one(y, x == y)) && self.s != ''");
  assert.deepEqual(bounds[0]?.path, ['strs']);
  assert.equal(bounds[0]?.assumed, 1_048_575);
});

test('the chain goes down to where the cost arises', () => {
  const { chain, total } = explain('self.n == 1 || self.items.all(i, i.ports.all(p, p > 0))');
  assert.equal(chain[0]?.cost, total.max === chain[0]?.cost.max ? chain[0]?.cost : undefined);
  const loops = chain.filter((link) => link.rounds);
  assert.deepEqual(
    loops.map((link) => link.rounds?.max),
    [10, 1_572_863],
  );
});

test('an expression over values with limits needs none', () => {
  assert.deepEqual(explain("self.items.all(i, i.name != '')").bounds, []);
});
