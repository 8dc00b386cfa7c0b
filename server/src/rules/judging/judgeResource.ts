import { memo } from '../../base/memo.ts';
import { type ValueMap, valueAt } from '../../base/value.ts';
import type { SchemaProps } from '../../kubernetes/api/schema.ts';
import { createResource } from '../../kubernetes/cr/create.ts';
import type { CrFacts, CrFinding } from '../../kubernetes/cr/findings.ts';
import { behindDecoding, laterRules } from '../../kubernetes/cr/later.ts';
import { type ServedCrd, serveCrd } from '../../kubernetes/cr/served.ts';
import type { ResourceVerdict, StrictField } from '../../kubernetes/cr/verdict.ts';
import { createCrd } from '../../kubernetes/crd/create.ts';
import type { DecodeError } from '../../kubernetes/decode.ts';
import type { MetadataFacts } from '../../kubernetes/metadata/findings.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import type { EmbeddedFacts } from '../../kubernetes/schema/findings.ts';
import type { Committed } from '../../workspace/baseline/baseline.ts';
import type { Definition } from '../../workspace/definitions.ts';
import { isFilledInOnAdmission } from '../../workspace/kinds.ts';
import { type Manifest, splitApiVersion } from '../../workspace/manifest.ts';
import { rootSchema, schemaAt } from '../../workspace/schemaNode.ts';
import { ignoredParts } from '../cr/ignored.ts';
import { lostInStorage } from '../cr/lostInStorage.ts';
import { together } from '../cr/missing.ts';
import { asFarAsKnown, withoutPlaceholders } from '../cr/placeholders.ts';
import { type LeftOutFacts, rulesLeftOut } from '../cr/ruleLeftOut.ts';
import { aroundTheVerdict, noSuchVersion } from '../cr/served.ts';
import { nearestFree } from '../fixing/nearest.ts';
import type { Problem, ProblemOf } from '../model/rule.ts';
import { brokenRule } from './brokenRule.ts';
import { compareVerdicts } from './compareVerdicts.ts';
import { few } from './few.ts';
import { following } from './following.ts';
import { problemAt, problemOf } from './problemAt.ts';
import { saidLater } from './saidLater.ts';
import { saysOfDecoding, saysOfStrict } from './says.ts';
import { annotateWithCommitted, resourceUpdate } from './updateVerdict.ts';

type ObjectProblem = ProblemOf<CrFacts & MetadataFacts & EmbeddedFacts & Pick<LeftOutFacts, 'cr/rule-left-out'>>;

/** Whether a kustomization may patch the CRD, or this is what it is patched to. */
type Patching = 'no' | 'maybe' | 'known';

interface Around {
  readonly patching: Patching;
  /** The webhook of the workspace that the object is completed by before it is judged. */
  readonly mutator: string | undefined;
}

/** What the API server would say about this custom resource: a new one, or one that a commit holds already. */
export function judgeResource(
  manifest: Manifest,
  definition: Definition,
  kubernetes: KubernetesVersion,
  committed: Committed | undefined,
  { patching, mutator }: Around,
): Problem[] {
  const crd = serveCrd(definition.manifest.value, kubernetes);
  // A CRD that no server would serve says nothing about its resources.
  if ('error' in crd) return [];
  const { version: name } = splitApiVersion(manifest.apiVersion);
  const version = crd.lowered.versions.find((one) => one.name === name);
  if (!version?.served) return [noSuchVersion(manifest, crd)];
  // The server refuses the CRD for that, which is told there.
  if (!version.schema && !crd.lowered.preserveUnknownFields) return [];
  const value = asFarAsKnown(manifest);
  const answer = createResource(value, crd, { kubernetes });
  const inWords = (verdict: ResourceVerdict) => worded(verdict, manifest, definition, crd, kubernetes, committed);
  const asWritten = value === manifest.value ? answer : createResource(manifest.value, crd, { kubernetes });
  const told = withoutPlaceholders(manifest, inWords(answer), asWritten === answer ? [] : inWords(asWritten));
  const sure = isFilledInOnAdmission(manifest) ? told.filter(({ code }) => code !== 'cr/required') : told;
  const found = following(sure).map((problem) => {
    if (mutator !== undefined && problem.code === 'cr/required' && isAddedByGo(problem))
      return unlessAdded(problem, mutator);
    return patching === 'maybe' && isOfPatchedType(problem, manifest, definition) ? unlessPatched(problem) : problem;
  });
  if (definition.file.origin?.fromSchema) {
    const rest = ignoredParts(manifest, { ...version, status: false });
    return [...rest, ...found.filter((problem) => isSure(problem, manifest))];
  }
  return [
    ...aroundTheVerdict(manifest, crd, version, definition),
    ...ignoredParts(manifest, version),
    ...found,
    ...lostInStorage(manifest, definition, crd, version, answer, patching === 'known'),
  ];
}

/**
 * Whether a type contradicts that unknown fields are kept, which only maps have: controller-gen writes so of raw JSON, and
 * who lets users give a map there takes the type away with a patch.
 */
function isOfPatchedType({ code, path }: Problem, manifest: Manifest, definition: Definition): boolean {
  const root = code === 'cr/type' ? rootSchema(definition, manifest.apiVersion) : undefined;
  const schema = root && schemaAt(root, path.slice(manifest.at.length))?.schema;
  return schema?.get('x-kubernetes-preserve-unknown-fields') === true && schema.get('type') === 'string';
}

/**
 * Whether a webhook in Go adds what is missing: it reads the object into its types and writes all of it, whose required fields
 * are there then with the values of Go that are nothing. Lists are null then, which no schema accepts.
 */
function isAddedByGo({ facts: { schema }, missing = [] }: ProblemOf<CrFacts, 'cr/required'>): boolean {
  const properties = schema?.properties;
  return missing.length > 0 && missing.every((name) => acceptsNothing(properties?.get(String(name))));
}

function acceptsNothing(schema: SchemaProps | undefined): boolean {
  if (schema === undefined) return false;
  const { type, minimum, maximum, minLength, pattern, format, required = [], properties } = schema;
  if (schema.enum !== undefined) return type === 'string' && schema.enum.includes('');
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return !((minimum ?? 0) > 0 || (maximum ?? 0) < 0);
  if (type === 'string') return (minLength ?? 0n) === 0n && pattern === undefined && format === undefined;
  return (
    type === 'object' && properties !== undefined && required.every((name) => acceptsNothing(properties.get(name)))
  );
}

function unlessAdded<P extends Problem>(problem: P, mutator: string): P {
  const words = `${problem.message} (Unless the webhook ${mutator} adds it, as those in Go do.)`;
  return { ...problem, message: words, severity: 'information', says: { ...problem.says, isLeftToWebhook: true } };
}

function unlessPatched<P extends Problem>(problem: P): P {
  const words = `${problem.message} (Unless a patch of the CRD takes the type away: it also keeps unknown fields.)`;
  return { ...problem, message: words, severity: 'information' };
}

/**
 * Whether a finding holds whatever the CRD is that a schema was made from: its scope decides whether a namespace counts,
 * its status subresource whether rules see a status.
 */
function isSure({ code, path }: Problem, manifest: Manifest): boolean {
  const [first, second] = path.slice(manifest.at.length);
  if (first === 'metadata' && second === 'namespace') return false;
  return first !== 'status' && !(code.startsWith('cr/rule') && manifest.value.has('status'));
}

function worded(
  answer: ResourceVerdict,
  manifest: Manifest,
  definition: Definition,
  crd: ServedCrd,
  kubernetes: KubernetesVersion,
  committed: Committed | undefined,
): ObjectProblem[] {
  const { decode, strict, errors, warnings } = answer;
  if (decode) {
    const behind = committed ? [] : wordedBehind(manifest, crd, decode, kubernetes);
    return [undecoded(manifest, decode), ...behind];
  }
  const update = committed && resourceUpdate(manifest, committed, crd, definition.manifest, kubernetes);
  const old = update && committed?.manifest.value;
  const inWords = (finding: CrFinding): ObjectProblem => {
    if (finding.code !== 'cr/rule') return problemOf(manifest, finding);
    // What is stored is asked for only where a rule is broken: it has the defaults that the rule saw.
    const related = brokenRule(manifest, definition, finding.facts, { self: answer.stored, old }, kubernetes);
    const problem = problemOf(manifest, finding, { related });
    return finding.facts.anywhere ? { ...problem, message: `${problem.message} (${anywhere})` } : problem;
  };
  return [
    ...few(strict).map((field) => refusedField(manifest, field)),
    ...together(compareVerdicts(few(errors), update && few(update.errors)))
      .filter(({ finding, standing }) => standing !== 'forgiven' || finding.code !== 'cr/rules-not-checked')
      .filter(({ finding }) => !isOfWrongDefault(finding, manifest, answer, definition, kubernetes))
      .map(({ finding, standing }) => annotateWithCommitted(inWords(finding), standing, committed)),
    ...(update ? [] : few(laterRules(asFarAsKnown(manifest), crd, errors, { kubernetes }))).map((one) =>
      saidLater(inWords(one)),
    ),
    ...few(warnings).map((finding) => ({ ...inWords(finding), severity: 'warning' as const })),
    ...rulesLeftOut(manifest, 'cr/rule-left-out', [...answer.leftOut, ...(update?.leftOut ?? [])]),
  ];
}

/** Whether it is about a value that the CRD puts in, though no server takes such a CRD: that is told at the default. */
function isOfWrongDefault(
  { path }: CrFinding,
  { value }: Manifest,
  answer: ResourceVerdict,
  definition: Definition,
  kubernetes: KubernetesVersion,
): boolean {
  const isPutIn = valueAt(value, path) === undefined && valueAt(answer.stored, path) !== undefined;
  return isPutIn && hasWrongDefault(definition.manifest.value, kubernetes);
}

const hasWrongDefault = memo((crd: ValueMap, kubernetes: KubernetesVersion): boolean => {
  return createCrd(crd, { kubernetes }).errors.some(({ code }) => code === 'crd/default-invalid');
});

const anywhere =
  'the API server takes the fields of a map in any order: it may name another place, and fewer or other broken rules';

/** What a value hides that cannot be decoded. */
function wordedBehind(
  manifest: Manifest,
  crd: ServedCrd,
  first: DecodeError,
  kubernetes: KubernetesVersion,
): ObjectProblem[] {
  const { decode, strict, errors } = behindDecoding(asFarAsKnown(manifest), crd, first, { kubernetes });
  return [
    ...decode.map((one) => undecoded(manifest, one)),
    ...few(strict).map((field) => refusedField(manifest, field)),
    ...together(compareVerdicts(few(errors), undefined)).map(({ finding }) => problemOf(manifest, finding)),
  ].map(saidLater);
}

function undecoded(manifest: Manifest, error: DecodeError): ObjectProblem {
  return problemAt(manifest, { code: 'cr/decode' }, error.message, error.path, 'value', {
    says: saysOfDecoding(error),
  });
}

function refusedField(manifest: Manifest, { kind, message, path, known }: StrictField): ObjectProblem {
  const near = nearestFree(String(path.at(-1)), known, valueAt(manifest.value, path.slice(0, -1))).map(
    (name) => `\`${name}\``,
  );
  const hint = near.length === 0 ? '' : `, did you mean ${near.join(' or ')}?`;
  const says = saysOfStrict(message, near.length > 0);
  return problemAt(manifest, { code: `cr/${kind}-field`, facts: { known } }, message + hint, path, 'key', { says });
}
