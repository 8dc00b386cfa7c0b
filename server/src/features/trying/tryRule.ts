import type { Steps } from '../../base/steps.ts';
import { onOneLine } from '../../base/text.ts';
import { isString, type ManifestPath, type Path, type ValueMap, valueAt } from '../../base/value.ts';
import { issuesOf, namesVariable } from '../../cel/compile.ts';
import type { Val } from '../../cel/eval/values.ts';
import { boolType } from '../../cel/types.ts';
import { rulesKey } from '../../crdtest/rulePath.ts';
import { evaluateSchemaRules } from '../../kubernetes/cel/evaluate.ts';
import { type PartValues, partValues } from '../../kubernetes/cel/partValues.ts';
import type { JudgedRule } from '../../kubernetes/cel/ruleVariables.ts';
import { type WatchedRule, watchedRule } from '../../kubernetes/cel/watchedRule.ts';
import { falsePart } from '../../kubernetes/cel/whyFalse.ts';
import { createResource } from '../../kubernetes/cr/create.ts';
import type { CrFinding } from '../../kubernetes/cr/findings.ts';
import type { EvaluateObjectRules, RuleResults } from '../../kubernetes/cr/rules.ts';
import { type ServedCrd, serveCrd } from '../../kubernetes/cr/served.ts';
import { updateResource } from '../../kubernetes/cr/update.ts';
import type { ResourceVerdict } from '../../kubernetes/cr/verdict.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import { boundedMatching } from '../../kubernetes/schema/matching.ts';
import { pathText } from '../../kubernetes/schema/prune.ts';
import { rulesBelow } from '../../kubernetes/schema/rulesBelow.ts';
import type { ValidationRule } from '../../kubernetes/schema/structural.ts';
import { locateInFile } from '../../rules/judging/locate.ts';
import { type Definition, definitionsFor, definitionsIn } from '../../workspace/definitions.ts';
import { inDocument, type Manifest, metadataText, splitApiVersion } from '../../workspace/manifest.ts';
import { type RulePlace, rulePlace } from '../../workspace/rulePlace.ts';
import { schemaPathOf } from '../../workspace/schemaNode.ts';
import { fileAt, kubernetesFor, type Snapshot } from '../../workspace/snapshot.ts';
import type { SourceFile } from '../../workspace/sourceFile.ts';
import { documentAt } from '../../yaml/parse.ts';
import { cursorAt } from '../place/cursor.ts';
import { fieldOfSchema } from '../views/costMap.ts';
import { type Placed, resourcesOf } from '../views/crdChanges.ts';
import { liveBefore } from '../views/writing.ts';
import { costNumber, percent, ruleCost } from '../words/costs.ts';
import { typeText } from '../words/typeText.ts';
import type { Outcome, Tried, TriedObject, TriedValue } from './tried.ts';

/** A rule of a CRD: which object of its file that is, and the path of the rule's text in it. */
export interface RuleRef {
  readonly manifest: number;
  readonly path: ManifestPath;
}

/** The rule that the cursor is in, at whatever of it. */
export function ruleAtCursor(snapshot: Snapshot, uri: string, offset: number): RuleRef | undefined {
  const cursor = cursorAt(snapshot, uri, offset);
  if (cursor?.manifest?.role !== 'crd') return undefined;
  const { file, manifest, path } = cursor;
  const at = path.indexOf(rulesKey);
  if (at === -1 || typeof path[at + 1] !== 'number') return undefined;
  return { manifest: file.manifests.indexOf(manifest), path: [...path.slice(0, at + 2), 'rule'] };
}

/** A rule with all that it takes to evaluate it. */
export interface TriableRule {
  readonly manifest: Manifest;
  readonly definition: Definition;
  readonly version: string;
  readonly path: ManifestPath;
  readonly text: string;
  readonly place: RulePlace | undefined;
  readonly kubernetes: KubernetesVersion;
}

/** Undefined where there is no such rule (any more). */
export function ruleOf(snapshot: Snapshot, uri: string, { manifest, path }: RuleRef): TriableRule | undefined {
  const found = fileAt(snapshot, uri)?.manifests[manifest];
  return found && triableRule(snapshot, uri, found, path);
}

export function triableRule(
  snapshot: Snapshot,
  uri: string,
  manifest: Manifest,
  path: ManifestPath,
): TriableRule | undefined {
  const file = fileAt(snapshot, uri);
  const definition = file && definitionsIn(file).find((one) => one.manifest === manifest);
  const text = valueAt(manifest.value, path);
  const version = valueAt(manifest.value, [...path.slice(0, 3), 'name']);
  if (!definition || file.template || !isString(text) || !isString(version)) return undefined;
  const kubernetes = kubernetesFor(snapshot, uri);
  const place = rulePlace(manifest, inDocument(manifest, path), kubernetes);
  return { manifest, definition, version, path, text, place, kubernetes };
}

/** More objects than these are not looked at: the view is drawn again after every pause in typing. */
const mostObjects = 200;

/** What a rule says to the resources of its kind and version in some files. */
export function* tryRule(snapshot: Snapshot, rule: TriableRule, files: readonly SourceFile[]): Steps<Tried> {
  const { definition, version, text, kubernetes } = rule;
  const about = {
    title: [`${definition.kind} ${version}`, fieldOf(rule)].filter(Boolean).join(', '),
    expression: text,
    kubernetes: kubernetes.name,
    facts: factsOf(rule.place),
  };
  const judging = judgingOf(snapshot, rule);
  if ('problem' in judging) return { ...about, problem: judging.problem, objects: [], more: 0 };
  const all = files.flatMap((file) => triedIn(snapshot, file, rule));
  const objects: TriedObject[] = [];
  for (const one of all.slice(0, mostObjects)) {
    objects.push(triedObject(one, judging));
    yield;
  }
  return { ...about, problem: undefined, objects, more: all.length - objects.length };
}

/** The resources that the rule would judge. A new document belongs to whatever it is made for. */
function triedIn({ definitions }: Snapshot, file: SourceFile, { definition, version }: TriableRule): Placed[] {
  return resourcesOf(file, definition).filter(({ manifest }) => {
    if (splitApiVersion(manifest.apiVersion).version !== version) return false;
    return file.uri.startsWith('untitled:') || definitionsFor(definitions, manifest, file.uri)[0] === definition;
  });
}

function fieldOf({ path }: TriableRule): string {
  return fieldOfSchema(path.slice(5, -3));
}

function factsOf(place: RulePlace | undefined): string[] {
  const cost = ruleCost(place);
  if (!place || !cost) return [];
  const share = `${percent(cost.all)} of what one rule may cost`;
  return [`type ${typeText(place.compiled.expr.type)}`, `at most ${costNumber(cost.once)} each time, ${share}`];
}

/** What one rule is evaluated with, over one object after the other. */
interface Judging {
  readonly rule: ValidationRule;
  readonly served: ServedCrd;
  readonly kubernetes: KubernetesVersion;
  readonly usesOldSelf: boolean;
  /** For a rule that compares: the committed object, as a cluster would hold it. */
  before(resource: ResourceIn): ValueMap | undefined;
  /** Where the value is that the rule judges. */
  readonly field: string;
  evaluate(judged: JudgedRule): {
    readonly parts: PartValues;
    readonly watched: WatchedRule;
    readonly value: Val | undefined;
  };
}

function judgingOf(snapshot: Snapshot, rule: TriableRule): Judging | { readonly problem: string } {
  const { manifest, version, path, place, text, kubernetes } = rule;
  const problem = problemOf(text, place);
  if (problem !== undefined) return { problem };
  const served = serveCrd(manifest.value, kubernetes);
  if ('error' in served) return { problem: `The CRD cannot be served: ${served.error}` };
  const structural = served.versions.get(version)?.structural;
  const rules = structural ? rulesBelow(structural, schemaPathOf(manifest.value, version), true) : [];
  const found = rules.find((one) => one.path.join('/') === path.join('/'));
  if (!found) return { problem: 'The API server evaluates no rule at this place of a schema.' };
  let parts = partValues();
  const watched = watchedRule(found, kubernetes, (part, value) => parts.watch(part, value));
  if (!watched) return { problem: 'The rule does not compile.' };
  const evaluate = (judged: JudgedRule) => {
    parts = partValues();
    return { value: watched.evaluate(judged), parts, watched };
  };
  const usesOldSelf = namesVariable(place!.compiled, 'oldSelf');
  const before = ({ uri, manifest: one }: ResourceIn) =>
    usesOldSelf ? liveBefore({ snapshot, uri, manifest: one, kubernetes }, served) : undefined;
  return { rule: found.rule, served, kubernetes, usesOldSelf, field: fieldOf(rule), evaluate, before };
}

/** In the server's words. */
function problemOf(text: string, place: RulePlace | undefined): string | undefined {
  if (text.trim() === '') return 'The rule is empty.';
  if (!place?.decl) return 'The type of what the rule judges is not known.';
  const issues = place.compiled.panic ?? issuesOf(place.compiled, place.schemaEnv.env);
  if (issues !== undefined) return issues;
  return place.compiled.expr.type === boolType ? undefined : 'cel expression must evaluate to a bool';
}

function triedObject({ file, manifest }: Placed, judging: Judging): TriedObject {
  const values = valuesIn({ uri: file.uri, manifest }, judging);
  const name = [metadataText(manifest, 'namespace'), metadataText(manifest, 'name')].filter(Boolean).join('/');
  const place = locateInFile(file, manifest, ['kind'], 'value');
  if ('why' in values) return { name, place, outcome: 'none', said: values.why, values: [], more: 0 };
  const shown = values.all.slice(0, mostValues);
  const { outcome, said } = values.all[0]!;
  return { name, place, outcome, said, values: shown, more: values.all.length - shown.length };
}

/** Of a rule below a long list nobody looks at more values. */
const mostValues = 20;
const worstFirst: readonly Outcome[] = ['error', 'false', 'none', 'true', 'value'];

/** A resource in its file. */
export interface ResourceIn {
  readonly uri: string;
  readonly manifest: Manifest;
}

export function resourceAt({ uri, manifests, stream }: SourceFile, offset: number): ResourceIn | undefined {
  const placed = documentAt(stream, offset);
  const manifest = manifests.find(({ document }) => document === placed?.document);
  return manifest && { uri, manifest };
}

interface Seen {
  readonly judged: JudgedRule;
  readonly at: Path;
}

/** What a rule comes to in an object, the worst first; or why it is not evaluated there. */
function valuesIn(
  resource: ResourceIn,
  judging: Judging,
): { readonly all: readonly TriedValue[] } | { readonly why: string } {
  const { served, kubernetes, rule } = judging;
  const seen: Seen[] = [];
  let results: RuleResults | undefined;
  const evaluateRules: EvaluateObjectRules = (rules) => {
    const watch = (judged: JudgedRule, self: () => Path) => {
      if (judged.rule === rule) seen.push({ judged, at: self() });
    };
    results = evaluateSchemaRules({ ...rules, isRoot: true, watch });
    return results;
  };
  const { value } = resource.manifest;
  const old = judging.before(resource);
  const options = { kubernetes, evaluateRules };
  const judge = () => (old ? updateResource(old, value, served, options) : createResource(value, served, options));
  const verdict = boundedMatching(judge).result;
  if (seen.length === 0) return { why: whyNot(verdict, results, judging) };
  const said = answersOf(results, rule);
  const ranked = seen.map((one) => ({ one, ...said(one) }));
  ranked.sort((a, b) => worstFirst.indexOf(a.outcome) - worstFirst.indexOf(b.outcome));
  return { all: ranked.map(({ one, outcome, said }, i) => triedValue(one, outcome, said, i < mostValues, judging)) };
}

function triedValue(
  { judged, at }: Seen,
  outcome: Outcome,
  said: string,
  shown: boolean,
  judging: Judging,
): TriedValue {
  if (!shown) return { at: pathText(at), outcome, said, parts: [], lines: [] };
  const { parts, watched } = judging.evaluate(judged);
  const { rule } = judged.rule;
  const part = outcome === 'false' ? falsePart(watched.expr, parts.valueOf) : undefined;
  const why = part && part !== watched.expr ? `${onOneLine(rule.slice(part.start, part.end))} is false` : said;
  return {
    at: pathText(at),
    outcome,
    said: why,
    parts: parts.parts(watched.expr),
    lines: parts.lines(watched.expr, rule),
  };
}

/** What the API server's rules answered, value by value. */
function answersOf(results: RuleResults | undefined, rule: ValidationRule) {
  const left = results?.leftOut.find((one) => one.rule === rule);
  const errors = new Map<string, CrFinding & { readonly code: 'cr/rule' }>();
  for (const one of results?.errors ?? []) {
    if (one.code === 'cr/rule' && one.facts.rule === rule) errors.set(one.facts.self.join('/'), one);
  }
  return ({ at }: Seen): { outcome: Outcome; said: string } => {
    if (left) return { outcome: 'none', said: `This is not evaluated here: ${left.why}` };
    const error = errors.get(at.join('/'));
    if (!error) return { outcome: 'true', said: '' };
    const isFalse = error.facts.kind === 'failed' || error.facts.kind === 'message';
    return { outcome: isFalse ? 'false' : 'error', said: wordsOf(error) };
  };
}

function wordsOf({ field, message }: Pick<CrFinding, 'field' | 'message'>): string {
  return field === '' || field === undefined ? message : `${field}: ${message}`;
}

function whyNot(verdict: ResourceVerdict, results: RuleResults | undefined, { usesOldSelf, field }: Judging): string {
  if (verdict.decode) return `The object cannot be decoded: ${verdict.decode.message}`;
  const [first] = verdict.errors;
  if (!results && first) return `The API server refuses the object before it evaluates rules: ${wordsOf(first)}`;
  const end = verdict.errors.find((one) => one.code === 'cr/rule' && one.facts.kind === 'budget');
  if (end) return wordsOf(end);
  if (usesOldSelf)
    return 'It reads oldSelf, so it is evaluated only where an object is changed: open one that is committed.';
  return field === '' ? 'There is nothing for it to judge.' : `The object has nothing at ${field}.`;
}

/** The values of a rule's parts in one object, of the value that is worst off; undefined where it is not evaluated. */
export function partsIn(snapshot: Snapshot, rule: TriableRule, resource: ResourceIn): TriedValue | undefined {
  const judging = judgingOf(snapshot, rule);
  const values = 'problem' in judging ? judging : valuesIn(resource, judging);
  return 'all' in values ? values.all[0] : undefined;
}
