import { isList, isMap, textAt, type Value, type ValueMap } from '../base/value.ts';
import type { BuiltinFile } from '../kubernetes/builtin/file.ts';
import { builtinKindsOf } from '../kubernetes/builtin/kinds.ts';
import { judgeAdmission } from '../kubernetes/policy/admission.ts';
import { isAdmission, nameOf } from '../kubernetes/policy/admit.ts';
import { policiesAmong } from '../kubernetes/policy/dispatch.ts';
import { webhooksAmong } from '../kubernetes/policy/webhookCalls.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { type Definitions, definitionsFor } from '../workspace/definitions.ts';
import { defaultLimits } from '../workspace/limits.ts';
import { splitApiVersion } from '../workspace/manifest.ts';
import { textOf } from '../workspace/scan.ts';
import { type SourceFile, sourceFile } from '../workspace/sourceFile.ts';
import { folderOf } from '../workspace/uri.ts';
import type { PolicyServer } from './admission.ts';
import type { FoundCrd } from './coverage.ts';
import { type Around, crdOf } from './load.ts';
import { inVersions, serving } from './run.ts';
import { sizeOf } from './size.ts';
import type { Suite } from './suite.ts';

/** What tests of policies run against, in the versions in which the policies are taken. */
export interface PolicyGround {
  readonly servers: ReadonlyMap<KubernetesVersion, PolicyServer>;
  readonly refused: readonly string[];
  /** The policies and what belongs to them, CRDs too, as they are written. */
  readonly objects: readonly ValueMap[];
  /** How large it is. */
  readonly size: number;
  /** Where the policies are that are written in files. */
  readonly places: ReadonlyMap<ValueMap, FoundCrd>;
}

const nothing: Omit<PolicyGround, 'refused'> = { servers: new Map(), objects: [], size: 0, places: new Map() };

/** How many files the policies of a suite may be in. */
const mostPolicyFiles = 200;

/** Reads the policies of a suite, and what belongs to them. */
export async function policyGround(
  suite: Suite,
  around: Around,
  versions: readonly KubernetesVersion[],
): Promise<PolicyGround> {
  const [objects, why, places] = await policyObjectsOf(suite, around);
  if (why !== undefined) return { ...nothing, refused: [why] };
  const crd = suite.crd && (await crdOf(suite.crd, around));
  if (crd && 'why' in crd) return { ...nothing, refused: [crd.why] };
  const builtin = await around.builtin?.();
  return { ...groundOfPolicies(objects, crd?.manifest.value, { ...around, builtin }, versions), places };
}

export function groundOfPolicies(
  objects: readonly ValueMap[],
  crd: ValueMap | undefined,
  { definitions, uri, builtin }: Pick<Around, 'definitions' | 'uri'> & { readonly builtin: BuiltinFile | undefined },
  versions: readonly KubernetesVersion[],
): PolicyGround {
  const refused = [
    ...(objects.some(isAsked) ? [] : ['there is no policy and no webhook in the files that `policy` names']),
    ...inVersions(versions, (version) => objects.flatMap((one) => refusals(one, version))),
  ];
  const kinds = crdsBy(definitions, uri, crd);
  const servers =
    refused.length > 0 ? [] : versions.map((version) => [version, serverOf(objects, kinds, builtin, version)] as const);
  return {
    ...nothing,
    servers: new Map(servers),
    objects: crd ? [...objects, crd] : objects,
    refused,
    size: objects.reduce((sum, one) => sum + sizeOf(one).values, 0),
  };
}

type PolicyObjects = [objects: ValueMap[], why: string | undefined, places: PolicyGround['places']];

export async function policyObjectsOf(suite: Suite, around: Around): Promise<PolicyObjects> {
  const { files, why } = await namedFiles(suite.policy!.files, around);
  if (why !== undefined) return [[], why, new Map()];
  return [objectsIn(files, suite.policy!.objects.filter(isMap)), undefined, placesIn(files, isAsked)];
}

/** Where the objects of some files are, of those that count. */
export function placesIn(
  files: readonly SourceFile[],
  counts: (object: ValueMap) => boolean,
): ReadonlyMap<ValueMap, FoundCrd> {
  const places = new Map<ValueMap, FoundCrd>();
  for (const file of files)
    for (const manifest of file.manifests) if (counts(manifest.value)) places.set(manifest.value, { file, manifest });
  return places;
}

interface NamedFiles {
  readonly files: readonly SourceFile[];
  /** Why they cannot be read. */
  readonly why?: string;
}

/** The files that tests name beside the CRD. */
export async function namedFiles(patterns: readonly string[], { files, uri }: Around): Promise<NamedFiles> {
  const found: SourceFile[] = [];
  const refusing = (why: string): NamedFiles => ({ files: [], why });
  for (const pattern of patterns) {
    const { uris, cut, refused } = await files.expand(pattern, folderOf(uri), mostPolicyFiles);
    if (refused !== undefined) return refusing(refused);
    if (cut) return refusing(`${pattern} names more than ${mostPolicyFiles} files`);
    if (uris.length === 0) return refusing(`no file is found at ${pattern}`);
    for (const one of uris) {
      const text = textOf(await files.read(one, defaultLimits.fileBytes));
      if (text === undefined) return refusing(`${pattern} cannot be read`);
      const file = sourceFile(one, text);
      if (file.template) return refusing(`${pattern} is a template: nothing of it can be asked before it is filled in`);
      for (const { document } of file.stream.documents) {
        const [problem] = document.problems;
        if (problem) return refusing(`${pattern} cannot be read: ${problem.message}`);
      }
      found.push(file);
    }
  }
  return { files: found };
}

/** The objects of some files, and others beside them. */
export function objectsIn(files: readonly SourceFile[], others: readonly ValueMap[]): ValueMap[] {
  return [...files.flatMap(({ manifests }) => manifests.flatMap(({ value }) => itemsOf(value))), ...others];
}

/** Objects may be in a list. */
function itemsOf(value: ValueMap): readonly ValueMap[] {
  const items = value.get('kind') === 'List' ? value.get('items') : undefined;
  return isList(items) ? items.filter(isMap) : [value];
}

const asked: ReadonlySet<string> = new Set([
  ...['ValidatingAdmissionPolicy', 'MutatingAdmissionPolicy'],
  ...['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'],
]);

const isAsked = (object: ValueMap) => isAdmission(object) && asked.has(textAt(object, ['kind']));

/** What the server has against a policy, a binding or a webhook: one that it refuses says nothing. */
function refusals(object: ValueMap, version: KubernetesVersion): string[] {
  if (!isAdmission(object)) return [];
  const name = `${textAt(object, ['kind'])} ${nameOf(object)}`;
  return judgeAdmission(object, undefined, version).errors.map(
    ({ field, message }) => `${name} is refused: ${field}: ${message}`,
  );
}

type CrdsBy = (apiVersion: string, kind: string) => ValueMap | undefined;

/** The CRD that the tests name, and otherwise those of the workspace. */
function crdsBy(definitions: Definitions, uri: string, crd: ValueMap | undefined): CrdsBy {
  return (apiVersion, kind) => {
    const { group } = splitApiVersion(apiVersion);
    if (crd && textAt(crd, ['spec', 'group']) === group && textAt(crd, ['spec', 'names', 'kind']) === kind) return crd;
    return definitionsFor(definitions, { apiVersion, kind }, uri)[0]?.manifest.value;
  };
}

function serverOf(
  objects: readonly ValueMap[],
  crds: CrdsBy,
  builtin: BuiltinFile | undefined,
  version: KubernetesVersion,
): PolicyServer {
  const namespaces = objects.filter((one) => one.get('apiVersion') === 'v1' && one.get('kind') === 'Namespace');
  return {
    policies: policiesAmong(objects, version),
    webhooks: webhooksAmong(objects.filter(isAdmission), version),
    namespaces: new Map(namespaces.map((one) => [nameOf(one), one])),
    builtin: builtin && builtinKindsOf(builtin, version),
    crdOf: (apiVersion, kind) => {
      const document = crds(apiVersion, kind);
      const served = document && serving(document as Value, version);
      return served && 'crd' in served ? served.crd : undefined;
    },
  };
}
