// npm run compare:builds -- APISERVER FOLDER …: what a real API server with built-in kinds says, with dry run, of every object
// that the kustomizations in folders build; prints where only one of us refuses it.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { diagnose } from '../../server/src/features/problems/diagnose.ts';
import { build, newSession, textOfResource } from '../../server/src/kustomize/build.ts';
import { ruleOf } from '../../server/src/rules/model/registry.ts';
import { type Snapshot, withOpen } from '../../server/src/workspace/snapshot.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';
import { startServer } from '../support/apiServer.ts';
import { DryRun } from '../support/dryRun.ts';
import { filesIn } from '../support/folders.ts';
import { diskFiles, kustomizationsIn } from '../support/kustomizationFolders.ts';
import { builtinFile, snapshotOf } from '../support/workspace.ts';

const [binary, ...folders] = process.argv.slice(2);
if (binary === undefined || folders.length === 0) {
  console.error('which API server and folders? npm run compare:builds -- APISERVER FOLDER …');
  process.exit(2);
}
const server = await startServer(binary);
const dryRun = new DryRun(server);
const builtin = builtinFile();
const files = diskFiles();
const session = newSession();
let failed = 0;

/** CRDs that are built are those that are applied; of several the first is installed, and is what we know as well. */
async function judge(folder: string): Promise<void> {
  const roots = kustomizationsIn(folder);
  const found = roots.map((root) => ({ root, made: build(files, root, { session }) }));
  failed += found.filter(({ made }) => made.error !== undefined).length;
  const objects = found.flatMap(({ root, made }) =>
    made.resources.map((resource) => ({ root, isPartial: resource.isPartial, text: textOfResource(resource) })),
  );
  const crds = new Map<string, { uri: string; text: string }>();
  for (const { text } of objects) {
    const [, name] = /^kind: CustomResourceDefinition$[\s\S]*?^ {2}name: (\S+)$/m.exec(text) ?? [];
    if (name !== undefined && !crds.has(name)) crds.set(name, { uri: `file:///crds/${name}.yaml`, text });
  }
  for (const { uri, text } of crdsIn(folder)) if (!crds.has(uri)) crds.set(uri, { uri, text });
  await dryRun.install([...crds.values()]);
  const snapshot: Snapshot = { ...snapshotOf([...crds.values()], { kubernetes: '1.36' }), builtin };
  for (const { root, isPartial, text } of objects) {
    const uri = `${pathToFileURL(root).href}/built.yaml`;
    const isOpen = isPartial || text.includes('${');
    await dryRun.ask({ where: `${root}: ${headOf(text)}`, uri, text, said: errorsIn(snapshot, uri, text), isOpen });
  }
}

function errorsIn(snapshot: Snapshot, uri: string, text: string): string[] {
  return diagnose(withOpen(snapshot, sourceFile(uri, text)), uri)
    .filter(({ code, severity }) => severity === 'error' && !ruleOf(code)?.ofFiles)
    .map(({ code, message }) => `${code}: ${message.slice(0, 200)}`);
}

/** CRDs that no kustomization takes. */
function crdsIn(folder: string): { uri: string; text: string }[] {
  return filesIn(folder)
    .filter((file) => /\.ya?ml$/.test(file))
    .map((file) => ({ uri: pathToFileURL(file).href, text: readFileSync(file, 'utf8') }))
    .filter(({ text }) => /^kind: CustomResourceDefinition\s*$/m.test(text) && !/^---/m.test(text.slice(4)));
}

function headOf(text: string): string {
  const [kind, name] = ['kind', '  name'].map((key) => new RegExp(`^${key}: (.*)$`, 'm').exec(text)?.[1] ?? '');
  return `${kind} ${name}`;
}

for (const folder of folders) await judge(path.resolve(folder));
console.log(`${failed} kustomizations cannot be built`);
const isRight = dryRun.end();
await server.stop();
process.exit(isRight ? 0 : 1);
