import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayBe, type Pieces } from '../../server/src/base/pieces.ts';
import { isList, isMap, type Path, Unknown, type Value, valueAt } from '../../server/src/base/value.ts';
import { plainValue, readJson } from '../../server/src/gostd/json.ts';
import { createResource } from '../../server/src/kubernetes/cr/create.ts';
import { serveCrd } from '../../server/src/kubernetes/cr/served.ts';
import { updateResource } from '../../server/src/kubernetes/cr/update.ts';
import type { ResourceVerdict } from '../../server/src/kubernetes/cr/verdict.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { loadCases } from '../conformance/cases.ts';

// What is said of an object of which a part is not known holds whatever that part is. The recorded cases are the measure:
// the value that they have there is one that it may be, and what real servers say of it is what we say (test/conformance).

interface Asked {
  readonly name: string;
  readonly object: Value;
  judge(object: Value): ResourceVerdict;
}

function askedIn(request: string): Omit<Asked, 'name'> | undefined {
  const read = readJson(request);
  if ('error' in read) return undefined;
  const members = plainValue(read.json);
  if (!isMap(members)) return undefined;
  const [op, crd, object, old] = ['op', 'crd', 'obj', 'old'].map((name) => members.get(name));
  if (!isMap(crd) || !isMap(object) || (op !== 'cr.create' && op !== 'cr.update') || members.has('subresource'))
    return undefined;
  const kubernetes = newestVersion;
  const served = serveCrd(crd, kubernetes);
  if ('error' in served) return undefined;
  if (op === 'cr.create') return { object, judge: (one) => createResource(one, served, { kubernetes }) };
  return isMap(old) ? { object, judge: (one) => updateResource(old, one, served, { kubernetes }) } : undefined;
}

/** Every place below the type and the metadata, those of maps and lists as well. */
function* placesIn(value: Value, path: Path = []): Generator<Path> {
  if (path.length > 0) yield path;
  if (isList(value)) for (const [i, item] of value.entries()) yield* placesIn(item, [...path, i]);
  if (!isMap(value)) return;
  for (const [key, item] of value)
    if (path.length > 0 || !['apiVersion', 'kind', 'metadata'].includes(key)) yield* placesIn(item, [...path, key]);
}

function withPart(value: Value, [step, ...rest]: Path, part: Value): Value {
  if (step === undefined) return part;
  if (isList(value)) return value.map((item, i) => (i === step ? withPart(item, rest, part) : item));
  assert.ok(isMap(value));
  return new Map([...value].map(([key, item]) => [key, key === step ? withPart(item, rest, part) : item]));
}

/** Findings by their codes and places: messages may show a value of which a part is not known. */
function saidOf({ decode, strict, errors, warnings }: ResourceVerdict): string[] {
  if (decode) return [`decode ${decode.path.join('/')}`];
  return [
    ...strict.map(({ kind, path }) => `${kind} ${path.join('/')}`),
    // This warning comes along only where nothing is refused.
    ...[...errors, ...warnings.filter(({ code }) => code !== 'cr/finalizer-name')].map(
      ({ code, path }) => `${code} ${path.join('/')}`,
    ),
  ];
}

/** Once decoding fails nothing else is said, and rules wait for what is more basic: what is hidden is not denied. */
const hides = (said: readonly string[]) => said.some((one) => /^(?:decode|cr\/rules-not-checked|.*budget)/.test(one));

const perCase = 6;
const unknown = new Unknown('${UNKNOWN}');
/** Values that the part may have as well. What comes of them is our own answer, which the recorded ones vouch for. */
const others: readonly Value[] = [null, '', 0n, true, [], new Map()];

test('what is said of an object with a part that is not known is said with any value there', () => {
  const wrong: string[] = [];
  let [tried, kept, dropped] = [0, 0, 0];
  for (const file of loadCases((name) => name.startsWith('cr/'))) {
    for (const one of file.cases) {
      const asked = askedIn(one.request);
      if (!asked) continue;
      const whole = saidOf(asked.judge(asked.object));
      if (hides(whole)) continue;
      const places = [...placesIn(asked.object)];
      const step = Math.max(1, Math.floor(places.length / perCase));
      for (let i = 0; i < places.length; i += step) {
        const place = places[i]!;
        // What is said of the part itself is left out by whoever shows it (rules/cr/placeholders.ts).
        const isOfPart = (what: string) => `${what.slice(what.indexOf(' ') + 1)}/`.startsWith(`${place.join('/')}/`);
        const judged = (part: Value) => saidOf(asked.judge(withPart(asked.object, place, part)));
        const said = judged(unknown).filter((what) => !isOfPart(what));
        tried++;
        kept += said.length;
        dropped += whole.length - said.length;
        for (const answer of said.length === 0 ? [] : [whole, ...others.map(judged).filter((all) => !hides(all))]) {
          const more = said.filter((what) => !answer.includes(what));
          if (more.length > 0) wrong.push(`${file.name} › ${one.name}: ${place.join('.')}: ${more.join(', ')}`);
        }
      }
    }
  }
  assert.deepEqual(wrong.slice(0, 20), [], `${wrong.length} of ${tried}`);
  assert.ok(tried > 3000 && kept > 1000 && dropped > 500, `${tried} tried, ${kept} kept, ${dropped} dropped`);
});

/** What is said of such a text itself; the rest is left out by whoever shows it. */
const ofTexts = ['cr/enum', 'cr/max-length', 'cr/pattern', 'cr/rule', 'cr/type'];

/** Some ways in which a text may be known in part: its beginning, its end, both, a piece inside, nothing of it. */
function* partsOf(text: string): Generator<Pieces> {
  const [third, rest] = [Math.ceil(text.length / 3), text.length - Math.ceil(text.length / 3)];
  yield ['', ''];
  yield [text, ''];
  yield ['', text];
  yield [text.slice(0, third), text.slice(rest)];
  yield [text.slice(0, 1), text.slice(third, rest), ''];
}

/** Servers say of a text only the first of these, which are all true of it. */
const asRefused = (what: string) => what.replace(/^cr\/(?:max-length|min-length|pattern) /, 'cr/text ');

const fillings = ['', 'x', '-0', 'A.b_', 'true'];

test('what is said of a text of which pieces are known is said whatever is between them', () => {
  const wrong: string[] = [];
  const ofPart = new Set<string>();
  for (const file of loadCases((name) => name.startsWith('cr/'))) {
    for (const one of file.cases) {
      const asked = askedIn(one.request);
      if (!asked) continue;
      const whole = saidOf(asked.judge(asked.object));
      if (hides(whole)) continue;
      const texts = [...placesIn(asked.object)].filter((place) => typeof valueAt(asked.object, place) === 'string');
      for (const place of texts.slice(0, perCase)) {
        const text = valueAt(asked.object, place) as string;
        for (const pieces of partsOf(text)) {
          const judged = (part: Value) => saidOf(asked.judge(withPart(asked.object, place, part)));
          const isOfPart = (what: string) => what.endsWith(` ${place.join('/')}`);
          const said = judged(new Unknown('${UNKNOWN}', pieces)).filter(
            (what) => !isOfPart(what) || ofTexts.includes(what.split(' ')[0]!),
          );
          if (said.length === 0) continue;
          for (const code of said.filter(isOfPart)) ofPart.add(code.split(' ')[0]!);
          // What the case has is among them wherever its pieces leave nothing out.
          const filled = fillings.map((filling) => judged(pieces.join(filling)));
          const asWritten = mayBe(pieces, text) ? [whole] : [];
          for (const answer of [...asWritten, ...filled].filter((all) => !hides(all))) {
            const answers = new Set(answer.map(asRefused));
            const more = said.filter((what) => !answers.has(asRefused(what)));
            if (more.length > 0)
              wrong.push(`${file.name} › ${one.name}: ${place.join('.')}: ${pieces.join('…')}: ${more.join(', ')}`);
          }
        }
      }
    }
  }
  assert.deepEqual(wrong.slice(0, 20), [], `${wrong.length}`);
  for (const code of ofTexts) assert.ok(ofPart.has(code), [...ofPart].join());
});
