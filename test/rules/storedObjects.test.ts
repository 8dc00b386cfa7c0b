import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMap, type Value, type ValueMap } from '../../server/src/base/value.ts';
import { plainValue, readJson } from '../../server/src/gostd/json.ts';
import { serveCrd } from '../../server/src/kubernetes/cr/served.ts';
import { updateResource } from '../../server/src/kubernetes/cr/update.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { storedJudge } from '../../server/src/rules/changes/stored.ts';
import { encodeExact } from '../conformance/protocol.ts';
import { crUpdateGenerator } from '../fuzz/generators/cr.ts';
import { seeded } from '../support/random.ts';

// What is said of a write that changes something else, without making that write, is what the engine says of one that is made:
// the engine is held against the API server, and `npm run compare:stored` puts both writes to one.

function asValue(member: unknown): Value | undefined {
  const read = readJson(encodeExact(member));
  return 'json' in read ? plainValue(read.json) : undefined;
}

/** The CRD without rules that compare with the old object, and with a field in its spec that nothing else reads. */
function withField(crd: unknown): Value | undefined {
  const text = encodeExact(crd);
  if (text.includes('oldSelf') || !text.includes('"spec":{"type":"object","properties":{')) return undefined;
  return asValue(
    JSON.parse(
      text.replaceAll(
        '"spec":{"type":"object","properties":{',
        '"spec":{"type":"object","properties":{"other":{"type":"string"},',
      ),
    ),
  );
}

const withOther = (object: ValueMap, text: string) => {
  const spec = object.get('spec');
  return isMap(spec) ? new Map(object).set('spec', new Map(spec).set('other', text)) : undefined;
};

test('a write of something else is foreseen', () => {
  const random = seeded(17);
  let [asked, refused] = [0, 0];
  while (asked < 150) {
    const { crd, old } = crUpdateGenerator.generate(random);
    const definition = withField(crd);
    const object = asValue(old);
    const [before, after] = isMap(object) ? ['a', 'b'].map((text) => withOther(object, text)) : [];
    if (definition === undefined || !before || !after) continue;
    const served = serveCrd(definition, newestVersion);
    const judge = storedJudge(undefined, definition, newestVersion);
    if ('error' in served || 'error' in judge) continue;
    const { faults, notJudged } = judge(before);
    if (notJudged !== undefined) continue;
    asked++;
    const { errors } = updateResource(before, after, served);
    const said = new Set(errors.map(({ field, message }) => `${field}: ${message}`));
    const isCut = errors.some(({ code }) => code === 'cr/rules-not-checked');
    const foreseen = faults.filter(({ endpoint, write }) => endpoint === 'object' && write !== 'own');
    for (const { inFull } of foreseen) assert.ok(isCut || said.has(inFull), `${inFull}: foreseen, and not said`);
    for (const { code, field, message } of errors) {
      const isForeseen = foreseen.some(({ inFull }) => inFull === `${field}: ${message}`);
      assert.ok(code === 'cr/rules-not-checked' || isForeseen, `${field}: ${message}: said, and not foreseen`);
    }
    if (errors.length > 0) refused++;
  }
  assert.ok(refused > 20, `${refused}`);
});
