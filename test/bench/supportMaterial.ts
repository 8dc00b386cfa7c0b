import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Edit, editsOf, fleetCrd } from '../support/fleetCrd.ts';
import { seeded } from '../support/random.ts';

// What an editor is timed on, the same in every run.

export interface Material {
  readonly name: string;
  /** Its file name. */
  readonly file: string;
  readonly text: string;
  readonly edits: readonly Edit[];
  /** The CRD of a resource, in the folder of a workspace. */
  readonly beside?: string;
  /** What is asked for at a line and a column, besides diagnostics. */
  readonly line: number;
  readonly character: number;
  /** How often each edit is timed. */
  readonly rounds: number;
}

const largeCrd = fleetCrd(1_400_000);
/** With the same template in each place, as controller-gen writes the schema of a Pod's. */
const repeatingCrd = fleetCrd(1_400_000, 'repeat');
const smallCrd = readFileSync('examples/crds/databases.yaml', 'utf8');

export function materials(): readonly Material[] {
  const line = lineOf(largeCrd, largeCrd.indexOf('          spec:\n') + 1);
  return [
    {
      ...{ name: 'a CRD of 1.4 MB', file: 'fleets.yaml', text: largeCrd, rounds: 12 },
      ...{ edits: editsOf(largeCrd), line, character: 12 },
    },
    resource('200 lines under a small CRD', 'orders.yaml', database(200), smallCrd, '  replicas: 1', 4),
    resource('200 lines under a CRD of 1.4 MB', 'fleet.yaml', fleet(200), largeCrd, '    values:', 4),
    resource('200 lines under one that repeats itself', 'fleet-2.yaml', fleet(200), repeatingCrd, '    values:', 4),
    bundle(60),
    alone(),
  ];
}

function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length - 1;
}

function resource(name: string, file: string, text: string, crd: string, mark: string, character: number): Material {
  const at = text.indexOf(mark);
  const end = text.indexOf('\n', at);
  const edits = [
    { name: 'in a value', at: end, put: '1' },
    { name: 'a new line', at: end, put: '\n' },
    { name: 'at the top', at: 0, put: '\n' },
  ];
  return { name, file, text, edits, beside: crd, line: lineOf(text, at), character, rounds: 30 };
}

function database(lines: number): string {
  const users = Array.from({ length: lines - 12 }, (_, i) => `    - name: user-${i}\n`).join('');
  return `apiVersion: storage.example.com/v1\nkind: Database\nmetadata:\n  name: orders\nspec:\n  engine: postgres\n  storage:\n    size: 3\n  replicas: 1\n  users:\n${users}`;
}

function fleet(lines: number): string {
  const values = Array.from({ length: lines - 6 }, (_, i) => `      key-${i}: a value\n`).join('');
  return `apiVersion: example.com/v1alpha1\nkind: Fleet\nmetadata:\n  name: orders\nspec:\n  generator0:\n    values:\n${values}    oops: a mistake\n`;
}

/** Many CRDs in one file. */
function bundle(count: number): Material {
  const crds = Array.from({ length: count }, (_, i) => renamed(fleetCrd(83_000), i));
  const text = crds.join('---\n');
  const start = crds.slice(0, count / 2).join('---\n').length + '---\n'.length;
  const [first] = editsOf(crds[count / 2]!);
  const edits = [{ name: 'in a description', at: start + first!.at, put: 'x' }];
  return {
    ...{ name: `${count} CRDs in a file of 5 MB`, file: 'bundle.yaml', text, edits, rounds: 8 },
    ...{ line: lineOf(text, start) + 3, character: 4 },
  };
}

function alone(): Material {
  const text = fleetCrd(83_000);
  const [first] = editsOf(text);
  return {
    ...{ name: 'one of them alone', file: 'fleet-crd.yaml', text, edits: [first!], rounds: 8 },
    ...{ line: 3, character: 4 },
  };
}

function renamed(crd: string, i: number): string {
  return crd.replaceAll('Fleet', `Fleet${i}`).replaceAll('fleet', `fleet${i}`);
}

/** The JSON schema of a CRD's resources, for a server that knows those alone. */
export function schemaOf(crd: string, folder: string): string {
  const file = path.join(folder, 'crd.yaml');
  writeFileSync(file, crd);
  const { stdout } = spawnSync(process.execPath, ['dist/server/main.cjs', 'schema', file], {
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  if (stdout === '') throw new Error('no schema was made');
  return stdout;
}

/** A folder of 2,000 CRDs and 20,000 manifests, 200 MB together; one file is of a kind that it defines. */
export function writeLargeWorkspace(folder: string): { readonly file: string; readonly text: string } {
  const random = seeded(12);
  // Few are large, as elsewhere; those of odd numbers define kinds that nothing here is of.
  const [large, small] = [fleetCrd(100_000), smallCrd.replaceAll('Database', 'Fleet').replaceAll('database', 'fleet')];
  for (let i = 0; i < 2_000; i++)
    put(path.join(folder, `crds/g${i % 40}/${i}.yaml`), renamed(i % 2 === 0 ? large : small, i));
  const value = () => `some value of a setting number ${random.below(1_000)} `.repeat(3);
  const data = () => Array.from({ length: 60 }, (_, j) => `  key${j}: ${value()}\n`).join('');
  for (let i = 0; i < 20_000; i++) {
    const config = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c${i}}\ndata:\n${data()}`;
    put(
      path.join(folder, `manifests/t${i % 200}/${i}.yaml`),
      i % 4 === 0 ? renamed(fleet(60), 2 * (i % 1_000)) : config,
    );
  }
  const text = renamed(fleet(60), 8).replace('values:', 'valeus:');
  const file = path.join(folder, 'manifests/open.yaml');
  put(file, text);
  return { file, text };
}

function put(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}
