import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  type Build,
  type BuiltNode,
  build,
  type Origin,
  type Place,
  print,
  rangeIn,
} from '../../server/src/kustomize/build.ts';
import { filesOf } from '../conformance/ops/kustomize.ts';
import { parseMarkdown, type Section } from '../support/markdown.ts';

// Markdown suites: what is built of the files of a section, and where the parts of it come from. With --update, lines are
// written anew, to be read before they are kept.

const suite = 'test/kustomize/origins.md';
const update = process.env.UPDATE === '1';

for (const section of parseMarkdown(readFileSync(suite, 'utf8')).filter(({ level }) => level === 2)) {
  test(`origins › ${section.title}`, () => judge(section));
}

function filesIn(section: Section): Record<string, string> {
  const files = section.fences.flatMap(({ info, text }) => {
    const path = /^\w+ file (\S+)$/.exec(info)?.[1];
    return path === undefined ? [] : [[path, text] as const];
  });
  return Object.fromEntries(files);
}

function judge(section: Section): void {
  const files = filesIn(section);
  const made = build(filesOf(files), '/overlay');
  assert.equal(made.error, undefined);
  const wanted = section.fences.find(({ info }) => info === 'text origins')!;
  const rows = wanted.text.trimEnd().split('\n');
  const found = rows.map((row) => shown(made, files, row.split(':')[0]!));
  if (update) rewrite(wanted.text, `${found.join('\n')}\n`);
  else assert.deepEqual(found, rows);
}

function rewrite(before: string, after: string): void {
  writeFileSync(
    suite,
    readFileSync(suite, 'utf8').replace(before, () => after),
  );
}

function shown(made: Build, files: Record<string, string>, question: string): string {
  const [kind, path] = question.split(' ') as [string, string];
  const resource = made.resources.find(({ root }) => scalarAt(root, ['kind']) === kind);
  assert.ok(resource, `no ${kind} is built`);
  const steps = path.split(/(?<!\\)\./).map((step) => step.replace('\\.', '.'));
  const node = nodeAt(resource.root, steps);
  assert.ok(node, `${question} is not built`);
  return `${question}: ${originText(node.origin, made, files).join(' < ')}`;
}

function originText(origin: Origin | undefined, made: Build, files: Record<string, string>): string[] {
  if (!origin) return ['nowhere'];
  if (origin.how === 'written') {
    const here = `${origin.in} ${placeText(origin.place, made, files)}`;
    return origin.over ? [here, ...originText(origin.over, made, files)] : [here];
  }
  const here = `${origin.what} ${origin.by ? placeText(origin.by, made, files) : 'itself'}`;
  return origin.original ? [here, ...originText(origin.original, made, files)] : [here];
}

function placeText(place: Place, { pieces }: Build, files: Record<string, string>): string {
  const { start, end } = rangeIn(pieces, place);
  return `${place.file} ${JSON.stringify(files[place.file]!.slice(start, end))}`;
}

function nodeAt(node: BuiltNode, path: readonly string[]): BuiltNode | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return node;
  if (node.kind === 'list') return node.items[Number(step)] && nodeAt(node.items[Number(step)]!, rest);
  const entry = node.kind === 'map' ? node.entries.find(({ key }) => key === step) : undefined;
  return entry && nodeAt(entry.value, rest);
}

function scalarAt(node: BuiltNode, path: readonly string[]): unknown {
  const found = nodeAt(node, path);
  return found?.kind === 'scalar' ? found.value : undefined;
}

test('what is printed leads to nodes and back', () => {
  const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: NAME}\ndata: {a: "1"}\n';
  const files = {
    '/o/kustomization.yaml': 'resources: [a.yaml, b.yaml]\n',
    '/o/a.yaml': map.replace('NAME', 'a'),
    '/o/b.yaml': map.replace('NAME', 'b'),
  };
  const printed = print(build(filesOf(files), '/o'));
  const range = printed.rangeOf({ resource: 1, path: ['metadata', 'name'] }, 'value')!;
  assert.equal(printed.text.slice(range.start, range.end), 'b');
  assert.deepEqual(printed.placeAt(range.start), { resource: 1, path: ['metadata', 'name'] });
});
