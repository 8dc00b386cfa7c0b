// npm run compare:policies -- APISERVER PATH … [--made=FILES,SEED]: asks a real API server what each case of tests of policies asks us (files
// *.crdtest.yaml), and prints where the answers differ. The server stores policies, bindings, parameters and namespaces of a
// file while its cases are asked as dry runs; what updates and deletions start from is put into its store.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { isMap, textAt, type Value, type ValueMap, valueAt } from '../../server/src/base/value.ts';
import { type Admission, admitted, type PolicyServer } from '../../server/src/crdtest/admission.ts';
import { givenOf } from '../../server/src/crdtest/load.ts';
import { differences } from '../../server/src/crdtest/objects.ts';
import { policyGround, policyObjectsOf } from '../../server/src/crdtest/policyGround.ts';
import type { AccessRow, AdmitRequest, TestUser } from '../../server/src/crdtest/policySuite.ts';
import { readSuite, type Suite, type TestCase } from '../../server/src/crdtest/suite.ts';
import { printJson } from '../../server/src/gostd/jsonPrint.ts';
import { nameOf } from '../../server/src/kubernetes/policy/admit.ts';
import { denialText } from '../../server/src/kubernetes/policy/dispatch.ts';
import { guessedResources } from '../../server/src/kubernetes/policy/watchedKinds.ts';
import { kubernetesVersion, newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { indexDefinitions } from '../../server/src/workspace/definitions.ts';
import { splitApiVersion } from '../../server/src/workspace/manifest.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';
import { nodeFiles } from '../../server/src/workspace/sources/nodeFiles.ts';
import { parseDocument } from '../../server/src/yaml/parse.ts';
import { valueOf } from '../../server/src/yaml/value.ts';
import { type ApiAnswer, type ApiRequest, startServer } from '../support/apiServer.ts';
import { builtinFile } from '../support/workspace.ts';
import { makePolicies } from './madePolicies.ts';

const [binary, ...named] = process.argv.slice(2);
const made = named.flatMap((one) => /^--made=(\d+)(?:,(\d+))?$/.exec(one) ?? []);
const paths = named.filter((one) => !one.startsWith('--made='));
if (binary === undefined || paths.length + made.length === 0) {
  console.error('which API server and tests? npm run compare:policies -- APISERVER PATH … [--made=FILES,SEED]');
  process.exit(2);
}
const madeFolder = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-policies-'));
const madeFiles = made.length === 0 ? [] : makePolicies(madeFolder, Number(made[1]), Number(made[2] ?? 1));

const inNoNamespace =
  /^(?:Namespace|CustomResourceDefinition|Cluster\w+|\w*AdmissionPolicy\w*|\w+WebhookConfiguration|PersistentVolume|Node|StorageClass|PriorityClass)$/;
const ofServer = new Set(['uid', 'creationTimestamp', 'managedFields', 'generation', 'resourceVersion', 'selfLink']);

/** Policies are asked about a second after they are stored, and stay a second after they are gone. */
const settling = 2_500;

/** Made ones are apart from each other by their groups, and so asked together. */
const mostTogether = 50;

/** All that is known of one file of tests before a server is asked. */
interface Bed {
  readonly file: string;
  readonly suite: Suite;
  readonly ours: PolicyServer;
  readonly objects: readonly ValueMap[];
  readonly crds: readonly ValueMap[];
  readonly given: ReadonlyMap<TestCase, { object?: Value; from?: Value }>;
}

let server = await startServer(binary);
/** Whether a policy with parameters was asked there: the server does not look anew for those of the next one. */
let isUsed = false;
const version = kubernetesVersion(server.version.slice(1, 5)) ?? newestVersion;
const counts = { same: 0, otherwise: 0, 'not asked': 0 };
const files = paths.flatMap(testsIn);
const all = files.length + madeFiles.length;
let asked = 0;
const progress = setInterval(() => console.error(`${asked} of ${all} files, ${countsText()}`), 10_000);
for (const file of files) {
  const bed = await bedOf(file);
  if (bed) await compareOne(bed);
  asked++;
}
for (let at = 0; at < madeFiles.length; at += mostTogether) {
  if (at > 0 || files.length > 0) await startAnew();
  const found = await Promise.all(madeFiles.slice(at, at + mostTogether).map(bedOf));
  await compareTogether(found.filter((bed) => bed !== undefined));
  asked += found.length;
}
clearInterval(progress);
await server.stop();
console.log(countsText(), `(Kubernetes ${server.version})`);
process.exit(counts.otherwise > 0 ? 1 : 0);

function countsText(): string {
  return Object.entries(counts)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ');
}

async function startAnew(): Promise<void> {
  await server.stop();
  server = await startServer(binary);
  isUsed = false;
}

async function compareOne(bed: Bed): Promise<void> {
  const hasParams = bed.objects.some((one) => valueAt(one, ['spec', 'paramKind']) !== undefined);
  if (hasParams && isUsed) await startAnew();
  isUsed ||= hasParams;
  await storeKinds([bed]);
  await storePolicies([bed]);
  await compareCases(bed);
  await undo(bed);
}

/** Asks a server that is left behind with all that was stored in it. */
async function compareTogether(beds: readonly Bed[]): Promise<void> {
  await storeKinds(beds);
  await storePolicies(beds);
  for (const bed of beds) await compareCases(bed);
}

function testsIn(one: string): string[] {
  if (!statSync(one).isDirectory()) return [one];
  return readdirSync(one, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.crdtest.yaml') && !name.includes('node_modules'))
    .map((name) => path.join(one, name));
}

async function bedOf(file: string): Promise<Bed | undefined> {
  const { suite } = readSuite(parseDocument(readFileSync(file, 'utf8')));
  if (!suite?.policy) return undefined;
  const uri = pathToFileURL(path.resolve(file)).href;
  const beside = readdirSync(path.dirname(file)).filter((name) => /\.ya?ml$/.test(name));
  const sources = beside.map((name) =>
    sourceFile(new URL(name, uri).href, readFileSync(path.join(path.dirname(file), name), 'utf8')),
  );
  const around = { files: nodeFiles, uri, definitions: indexDefinitions(sources), builtin: async () => builtinFile() };
  const ground = await policyGround(suite, around, [version]);
  const ours = ground.servers.get(version);
  if (!ours) {
    console.log(`${file}: ${ground.refused.join('; ')}`);
    counts['not asked'] += suite.cases.length;
    return undefined;
  }
  const [objects] = await policyObjectsOf(suite, around);
  const crds = sources
    .flatMap(({ manifests }) => manifests)
    .filter(({ role }) => role === 'crd')
    .map(({ value }) => value);
  const given = new Map<TestCase, { object?: Value; from?: Value }>();
  for (const one of suite.cases) {
    const found = await givenOf(one, suite, around);
    if (!('why' in found)) given.set(one, found);
  }
  return { file, suite, ours, objects, crds, given };
}

async function compareCases({ file, ours, given, crds }: Bed): Promise<void> {
  for (const [one, objects] of given) {
    const request = asDryRun(one.request as AdmitRequest);
    const we = admitted(request, objects, ours, version);
    const differing =
      'why' in we
        ? `we do not say: ${we.why}`
        : we.unknown.length > 0
          ? `we do not say: ${we.unknown.join('; ')}`
          : await unlike(request, objects, we, crds);
    if (differing === undefined) counts.same++;
    else if (differing.startsWith('we do not say')) counts['not asked']++;
    else counts.otherwise++;
    if (differing !== undefined) console.log(`${file}: ${one.name}: ${differing}`);
  }
}

/** Policies see how they are asked here. */
function asDryRun(request: AdmitRequest): AdmitRequest {
  const options = new Map<string, Value>([...request.options, ['dryRun', true], ['fieldValidation', 'Ignore']]);
  return { ...request, options };
}

// Setting up

function isAdmission(one: ValueMap): boolean {
  return splitApiVersion(textAt(one, ['apiVersion'])).group === 'admissionregistration.k8s.io';
}

function isNamespace(one: ValueMap): boolean {
  return one.get('kind') === 'Namespace';
}

/** Kinds, namespaces and roles, which stay. */
async function storeKinds(beds: readonly Bed[]): Promise<void> {
  for (const bed of beds) for (const one of firstOf(bed)) await put(one, bed.crds);
  if (beds.some(({ crds }) => crds.length > 0)) await setTimeout(1_500);
}

function firstOf({ suite, objects, crds, given }: Bed): ValueMap[] {
  const namespaces = new Set(
    [...objects, ...[...given.values()].flatMap(({ object, from }) => [object, from].filter(isMap))].map((one) =>
      textAt(one, ['metadata', 'namespace']),
    ),
  );
  const written = new Set(objects.filter(isNamespace).map(nameOf));
  const made = [...namespaces].filter((name) => name !== '' && !written.has(name)).map(namespaceNamed);
  const roles = rolesFor(suite.cases.flatMap(({ request }) => (request as AdmitRequest).access ?? []));
  return [...crds, ...made, ...objects.filter(isNamespace), ...roles];
}

async function storePolicies(beds: readonly Bed[]): Promise<void> {
  for (const bed of beds) for (const one of laterOf(bed)) await put(one, bed.crds);
  await setTimeout(settling);
}

function laterOf({ objects }: Bed): ValueMap[] {
  const others = objects.filter((one) => !isNamespace(one));
  return [...others.filter((one) => !isAdmission(one)), ...others.filter(isAdmission)];
}

async function undo(bed: Bed): Promise<void> {
  const stay = (one: ValueMap) => isNamespace(one) || one.get('kind') === 'CustomResourceDefinition';
  for (const one of [...firstOf(bed).filter((one) => !stay(one)), ...laterOf(bed)].reverse()) {
    await server.send({ method: 'DELETE', path: targetOf(one, bed.crds) ?? '' });
  }
  await setTimeout(settling);
}

function namespaceNamed(name: string): ValueMap {
  return parsed(`{apiVersion: v1, kind: Namespace, metadata: {name: ${name}}}`);
}

function parsed(text: string): ValueMap {
  return valueOf(parseDocument(text)) as ValueMap;
}

/** What the tests say users may do, as roles; everybody may send the requests themselves. */
function rolesFor(rows: readonly AccessRow[]): ValueMap[] {
  const everybody = role(
    'everybody',
    '{apiGroups: ["*"], resources: ["*"], verbs: [create, update, delete]}',
    '{kind: Group, apiGroup: rbac.authorization.k8s.io, name: "system:authenticated"}',
  );
  const others = rows
    .filter(({ decision }) => decision === 'allow')
    .flatMap(({ lists }, i) => {
      const list = (key: Parameters<typeof lists.get>[0]) => JSON.stringify(lists.get(key) ?? ['*']);
      const names = lists.get('resourceNames');
      const urls = lists.get('nonResourceURLs');
      const rule = urls
        ? `{nonResourceURLs: ${JSON.stringify(urls)}, verbs: ${list('verbs')}}`
        : `{apiGroups: ${list('apiGroups')}, resources: ${list('resources')}, verbs: ${list('verbs')}${names ? `, resourceNames: ${JSON.stringify(names)}` : ''}}`;
      const subjects = [
        ...(lists.get('users') ?? []).map(
          (name) => `{kind: User, apiGroup: rbac.authorization.k8s.io, name: ${JSON.stringify(name)}}`,
        ),
        ...(lists.get('groups') ?? []).map(
          (name) => `{kind: Group, apiGroup: rbac.authorization.k8s.io, name: ${JSON.stringify(name)}}`,
        ),
      ];
      return role(
        `access-${i}`,
        rule,
        subjects.length > 0
          ? subjects.join(', ')
          : '{kind: Group, apiGroup: rbac.authorization.k8s.io, name: "system:authenticated"}',
      );
    });
  return [...everybody, ...others];
}

function role(name: string, rule: string, subjects: string): ValueMap[] {
  return [
    parsed(
      `{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: ${name}}, rules: [${rule}]}`,
    ),
    parsed(
      `{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {name: ${name}}, subjects: [${subjects}], roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: ${name}}}`,
    ),
  ];
}

async function put(object: ValueMap, crds: readonly ValueMap[]): Promise<void> {
  const at = targetOf(object, crds);
  if (at === undefined) throw new Error(`nobody knows where a ${textAt(object, ['kind'])} is sent`);
  const reply = await server.send({ method: 'POST', path: at.slice(0, at.lastIndexOf('/')), body: printJson(object) });
  if (reply.code >= 400 && !reply.body.includes('AlreadyExists')) throw new Error(`${at}: ${reply.body}`);
}

/** Where an object is. */
function targetOf(object: Value, crds: readonly ValueMap[]): string | undefined {
  const [apiVersion, kind] = [textAt(object, ['apiVersion']), textAt(object, ['kind'])];
  const base = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const crd = crds.find((one) => textAt(one, ['spec', 'names', 'kind']) === kind);
  const plural = crd ? textAt(crd, ['spec', 'names', 'plural']) : guessedResources(kind)[0];
  const isNamespaced = crd ? valueAt(crd, ['spec', 'scope']) === 'Namespaced' : !inNoNamespace.test(kind);
  const namespace = textAt(object, ['metadata', 'namespace']) || 'default';
  return `${base}/${isNamespaced ? `namespaces/${namespace}/` : ''}${plural}/${textAt(object, ['metadata', 'name'])}`;
}

// Asking

async function unlike(
  request: AdmitRequest,
  { object, from }: { object?: Value; from?: Value },
  we: Admission,
  crds: readonly ValueMap[],
): Promise<string | undefined> {
  const at = targetOf(object ?? from ?? null, crds)!;
  const query = `?dryRun=All&fieldValidation=Ignore${managerOf(request)}`;
  if (from) await server.put(keyOf(from, at), JSON.stringify(withIdentity(from)));
  const collection = at.slice(0, at.lastIndexOf('/'));
  const below = request.subresource === '' ? '' : `/${request.subresource}`;
  const [method, target] = {
    CREATE: ['POST', collection],
    UPDATE: ['PUT', at + below],
    DELETE: ['DELETE', at],
    CONNECT: ['GET', at],
  }[request.operation] as [ApiRequest['method'], string];
  const stored = from && (await server.send({ method: 'GET', path: at })).body;
  const resourceVersion = stored && JSON.parse(stored).metadata.resourceVersion;
  const body = object === undefined ? undefined : printJson(withVersion(object, resourceVersion));
  const headers = impersonating(request.user);
  const ask = () => server.send({ method, path: target + query, ...(body !== undefined && { body }), headers });
  let reply = await ask();
  // How a new kind is merged is known some time after it is served.
  for (let left = 20; reply.code === 503 && left > 0; left--) {
    await setTimeout(1_000);
    reply = await ask();
  }
  if (from) await server.remove(keyOf(from, at));
  return compared(reply, we, crds, request);
}

function withVersion(object: Value, resourceVersion: string | undefined): Value {
  const metadata = valueAt(object, ['metadata']);
  if (!isMap(object) || !isMap(metadata) || resourceVersion === undefined) return object;
  return new Map(object).set('metadata', new Map(metadata).set('resourceVersion', resourceVersion));
}

function managerOf({ options }: AdmitRequest): string {
  const manager = options.get('fieldManager');
  return typeof manager === 'string' ? `&fieldManager=${encodeURIComponent(manager)}` : '';
}

function impersonating(user: TestUser | undefined): Record<string, string | string[]> {
  if (!user) return {};
  const extra = [...user.extra].map(([key, values]) => [`impersonate-extra-${encodeURIComponent(key)}`, [...values]]);
  return {
    'impersonate-user': user.name,
    'impersonate-group': [...user.groups],
    ...(user.uid !== '' && { 'impersonate-uid': user.uid }),
    ...Object.fromEntries(extra),
  };
}

function keyOf(object: Value, at: string): string {
  const { group } = splitApiVersion(textAt(object, ['apiVersion']));
  const isCustom = group.includes('.') && !group.endsWith('.k8s.io');
  const [, rest = ''] = /(?:^\/api\/v1|^\/apis\/[^/]+\/[^/]+)\/(.*)$/.exec(at) ?? [];
  const [, namespace, plural, name] = /^namespaces\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(rest) ?? [];
  const inside = name === undefined ? rest : `${plural}/${namespace}/${name}`;
  return isCustom ? `/registry/${group}/${inside}` : `/registry/${inside.replace(/^services\//, 'services/specs/')}`;
}

function withIdentity(object: Value): unknown {
  const plain = JSON.parse(printJson(object)) as { metadata: Record<string, unknown> };
  plain.metadata.uid = randomUUID();
  plain.metadata.namespace ??= 'default';
  plain.metadata.creationTimestamp = '2026-01-01T00:00:00Z';
  return plain;
}

function compared(
  reply: ApiAnswer,
  we: Admission,
  crds: readonly ValueMap[],
  { operation }: AdmitRequest,
): string | undefined {
  const status = JSON.parse(reply.body) as { message?: string; reason?: string; kind?: string };
  const isRefused = reply.code >= 400;
  const isBad = we.denials.length > 0 || we.errors.length > 0;
  if (isRefused !== isBad)
    return isRefused
      ? `only the server refuses it: ${status.message}`
      : `only we refuse it: ${ourWords(we).join(' | ')}`;
  if (isRefused) {
    const isSame =
      we.denials.length === 0 ||
      we.denials.some(
        (one) => status.message?.endsWith(denialText(one, one.isMutating)) && one.reason === status.reason,
      );
    return isSame
      ? undefined
      : `we say ${ourWords(we).join(' | ')} (${we.denials.map(({ reason }) => reason).join()}), the server ${status.message} (${status.reason})`;
  }
  const [mine, theirs] = [
    [...we.warnings].sort(),
    reply.warnings.filter((one) => one.includes('AdmissionPolicy')).sort(),
  ];
  if (mine.join('\n') !== theirs.join('\n')) return `we warn ${mine.join(' | ')}, the server ${theirs.join(' | ')}`;
  if (operation === 'DELETE' || we.stored === undefined) return undefined;
  const found = parsed(reply.body);
  const isCustom = crds.some((one) => textAt(one, ['spec', 'names', 'kind']) === textAt(found, ['kind']));
  const unequal = differences(ourPart(we.stored), ourPart(found), !isCustom, 5);
  return unequal.length === 0
    ? undefined
    : `stored otherwise: ${unequal.map(({ path, wanted, found }) => `${path}: ${printJson(wanted ?? null)} for us, ${printJson(found ?? null)} there`).join('; ')}`;
}

function ourWords(we: Admission): string[] {
  return [
    ...we.denials.map((one) => denialText(one, one.isMutating)),
    ...we.errors.map(({ field, message }) => `${field}: ${message}`),
  ];
}

function ourPart(object: Value): Value {
  const metadata = valueAt(object, ['metadata']);
  if (!isMap(object) || !isMap(metadata)) return object;
  return new Map(object).set('metadata', new Map([...metadata].filter(([key]) => !ofServer.has(key))));
}
