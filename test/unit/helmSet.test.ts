import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withSet } from '../../server/src/helm/set.ts';
import { readValues } from '../../server/src/helm/values.ts';
import { printed } from '../../server/src/template/format.ts';

const { values } = readValues('a: {b: 1, c: [1, 2]}\nd: x\n', 'values.yaml');

/** What strvals.ParseInto of Helm 4.3.1 makes of these values, as Go prints it. */
const cases: readonly (readonly [string, string])[] = [
  ['a.b=2', 'map[a:map[b:2 c:[1 2]] d:x]'],
  ['a.b=2,d=y', 'map[a:map[b:2 c:[1 2]] d:y]'],
  ['a.c[1]=5', 'map[a:map[b:1 c:[1 5]] d:x]'],
  ['a.c[3]=5', 'map[a:map[b:1 c:[1 2 <nil> 5]] d:x]'],
  ['e={1,two,true}', 'map[a:map[b:1 c:[1 2]] d:x e:[1 two true]]'],
  ['e.f[0].g=h', 'map[a:map[b:1 c:[1 2]] d:x e:map[f:[map[g:h]]]]'],
  ['d\\.e=1', 'map[a:map[b:1 c:[1 2]] d:x d.e:1]'],
  ['d=a\\,b', 'map[a:map[b:1 c:[1 2]] d:a,b]'],
  ['d=', 'map[a:map[b:1 c:[1 2]] d:]'],
  ['d=null', 'map[a:map[b:1 c:[1 2]] d:<nil>]'],
  ['a=1e3', 'map[a:1e3 d:x]'],
  ['a=-5', 'map[a:-5 d:x]'],
  ['a={}', 'map[a:[] d:x]'],
  ['a=True', 'map[a:true d:x]'],
  ['d=007', 'map[a:map[b:1 c:[1 2]] d:007]'],
];

for (const [text, expected] of cases) {
  test(`--set ${text}`, () => assert.equal(printed(withSet(values, text)), expected));
}

test('what has no value, or no item of that number, is refused', () => {
  for (const text of ['a', 'a[x]=1', 'a[99999]=1', 'a.b']) assert.throws(() => withSet(values, text), /^Error: --set /);
});
