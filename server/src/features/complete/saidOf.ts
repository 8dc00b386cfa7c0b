import { isMap, isString, type Path, type Value, valueAt } from '../../base/value.ts';
import { countingWork, mostFileWork } from '../../cel/eval/work.ts';
import { givenHere } from '../../crdtest/load.ts';
import { patched, pathOf } from '../../crdtest/objects.ts';
import { rulesIn } from '../../crdtest/rulePath.ts';
import { groundFor, runCase, runInVersions, type Served } from '../../crdtest/run.ts';
import type { SaidError } from '../../crdtest/said.ts';
import { isOfObjects, readSuite, type TestCase } from '../../crdtest/suite.ts';
import { valuesFor } from '../../crdtest/values.ts';
import { createResource } from '../../kubernetes/cr/create.ts';
import { structuralAt } from '../../kubernetes/cr/schemaAt.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import { boundedMatching } from '../../kubernetes/schema/matching.ts';
import type { Definition } from '../../workspace/definitions.ts';
import { splitApiVersion } from '../../workspace/manifest.ts';
import type { YamlDocument } from '../../yaml/parse.ts';

/** Something that the server may say to a case. */
export interface MaySay extends SaidError {
  /** The message without the value that it shows. */
  readonly words: string;
  readonly because: 'comes now' | 'a rule' | 'a value' | 'nothing there';
}

/** How many objects are judged to find out what the server says to values that are not as they should be. */
const mostTries = 60;
const mostFields = 6;

/** What the rules may come to on all of them: a completion is waited for. */
const mostRuleWork = 2_000_000;

/** What the server may say to a case: what it says now, what the CRD's rules say, and what it says to other values. */
export function saidOf(...asked: Parameters<typeof everythingSaid>): MaySay[] {
  return countingWork(mostFileWork - mostRuleWork, () => everythingSaid(...asked)).result;
}

function everythingSaid(
  document: YamlDocument,
  path: Path,
  definition: Definition,
  kubernetes: KubernetesVersion,
  field: string | undefined,
): MaySay[] {
  const { suite } = readSuite(document);
  const one = suite && caseAt(suite.cases, path);
  const given = one && givenHere(one, suite);
  const served = groundFor(definition.manifest.value, [kubernetes]).served;
  const came = one && given ? (runInVersions(one, given, served).came ?? []) : [];
  const now = came.map((said): MaySay => ({ ...said, words: said.message, because: 'comes now' }));
  const ground = served.get(kubernetes);
  const fields = field === undefined ? fieldsSetBy(one) : [field];
  const tried = ground && isMap(given?.object) ? saidToOthers(given.object, fields, ground, kubernetes) : [];
  return distinct([...now, ...saidByRules(definition), ...tried]);
}

/** The warnings that a case gets now. */
export function warningsOf(
  document: YamlDocument,
  path: Path,
  definition: Definition,
  kubernetes: KubernetesVersion,
): MaySay[] {
  const { suite } = readSuite(document);
  const one = suite && caseAt(suite.cases, path);
  const given = one && givenHere(one, suite);
  const ground = groundFor(definition.manifest.value, [kubernetes]).served.get(kubernetes);
  const answer = one && given && ground && runCase(one, given, ground, kubernetes).answer;
  if (!answer || !('verdict' in answer)) return [];
  return answer.verdict.warnings.map(({ field, message, code }) => {
    return { field, message, code, words: message, because: 'comes now' };
  });
}

function caseAt(cases: readonly TestCase[], path: Path): TestCase | undefined {
  const holds = (one: TestCase) => one.path.every((step, i) => path[i] === step);
  return cases.findLast(holds) ?? cases.find((one) => one.path[1] === path[1]);
}

function fieldsSetBy(one: TestCase | undefined): string[] {
  if (!one || !isOfObjects(one.request)) return [];
  return (one.request.object?.patches ?? []).flatMap((patch) => [...patch.keys()]).slice(-mostFields);
}

function saidByRules({ manifest }: Definition): MaySay[] {
  const versions = valueAt(manifest.value, ['spec', 'versions']);
  return (Array.isArray(versions) ? versions : []).flatMap((version: Value) => {
    const schema = valueAt(version, ['schema', 'openAPIV3Schema']);
    return rulesIn(schema).flatMap(({ path }): MaySay[] => {
      const message = valueAt(schema, [...path, 'message']);
      const words = isString(message) ? message.trim() : '';
      return words === '' ? [] : [{ field: '', message: words, words, code: 'cr/rule', because: 'a rule' }];
    });
  });
}

/** Each field with other values, one at a time, and without any. */
function saidToOthers(
  object: Value,
  fields: readonly string[],
  { crd }: Served,
  kubernetes: KubernetesVersion,
): MaySay[] {
  const { version } = splitApiVersion(String(valueAt(object, ['apiVersion'])));
  const root = crd.versions.get(version)?.structural;
  const found: MaySay[] = [];
  let left = mostTries;
  for (const field of fields) {
    const path = pathOf(field);
    const schema = path && structuralAt(root, path);
    const tries = schema ? [null, ...valuesFor(schema)] : [];
    for (const value of tries.slice(0, Math.max(0, left))) {
      left--;
      const other = patched(object, new Map([[field, value]]));
      const { errors } = boundedMatching(() => createResource(other, crd, { kubernetes })).result;
      for (const { field: at, message, detail, code } of errors.filter((error) => error.code !== 'cr/rule')) {
        const because = value === null ? 'nothing there' : 'a value';
        if (at === field) found.push({ field: at, message, words: detail ?? message, code, because });
      }
    }
  }
  return found;
}

function distinct(all: readonly MaySay[]): MaySay[] {
  const first = new Map<string, MaySay>();
  for (const one of all) if (!first.has(one.words)) first.set(one.words, one);
  return [...first.values()];
}
