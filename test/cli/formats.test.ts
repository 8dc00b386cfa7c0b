import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { boxCrd } from '../support/boxCrd.ts';
import { runProgram } from '../support/program.ts';

// Whatever the format, the same findings are told, and what it calls a failure is what makes the run fail.

const folder = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-formats-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const put = (name: string, text: string | Uint8Array) => writeFileSync(path.join(folder, name), text);
put('crd.yaml', boxCrd('{type: object, properties: {size: {type: integer}}}'));
put('wrong.yaml', 'apiVersion: example.com/v1\nkind: Box\nmetadata: {name: a}\nsise: 1\nsize: x\n');
put(
  'unknown.yaml',
  'apiVersion: other.com/v1\nkind: Tin\nmetadata: {name: a}\n---\napiVersion: other.com/v1\nkind: Jar\nmetadata: {name: a}\n',
);
put('binary.yaml', Uint8Array.of(0, 1, 2));

/** What a format tells: the codes of findings in their order, how many failures it has, and whether it knows of the end. */
interface Told {
  readonly codes: readonly string[];
  readonly failures?: number;
  readonly exitCode?: number;
}

const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found!);

const readers: Readonly<Record<string, (text: string) => Told>> = {
  // What is listed in one line has as many codes as names.
  text: (text) => ({
    codes: [...text.matchAll(/^\S+: \w+: (.*)\[([\w/-]+)\]$/gm)].flatMap(([, message = '', code = '']) => {
      const names = message.startsWith('No CRD is known of these kinds') ? message.split('), ') : [message];
      return names.map(() => code);
    }),
  }),
  concise: (text) => ({ codes: all(text, /\[([\w/-]+)\]$/gm) }),
  json: (text) => {
    const { findings, exitCode } = JSON.parse(text);
    return { codes: findings.map(({ code }: { code: string }) => code), exitCode };
  },
  sarif: (text) => {
    const [{ results, invocations }] = JSON.parse(text).runs;
    assert.equal(invocations[0].executionSuccessful, invocations[0].exitCode !== 2);
    return { codes: results.map(({ ruleId }: { ruleId: string }) => ruleId), exitCode: invocations[0].exitCode };
  },
  github: (text) => ({ codes: all(text, /,title=([\w/-]+)::/g) }),
  junit: (text) => ({
    codes: all(text, /name="\d+:\d+ ([\w/-]+)"/g),
    failures: all(text, /(<(?:failure|error) )/g).length,
  }),
  gitlab: (text) => ({ codes: JSON.parse(text).map(({ check_name }: { check_name: string }) => check_name) }),
};

const cases: readonly { readonly args: readonly string[]; readonly status: number; readonly codes: number }[] = [
  { args: ['wrong.yaml', 'unknown.yaml'], status: 1, codes: 4 },
  { args: ['unknown.yaml'], status: 0, codes: 2 },
  { args: ['--max-warnings', '1', 'unknown.yaml'], status: 1, codes: 2 },
  { args: ['--max-warnings', '2', 'unknown.yaml'], status: 0, codes: 2 },
  { args: ['--severity', 'error', 'unknown.yaml', 'wrong.yaml'], status: 1, codes: 2 },
  { args: ['binary.yaml', 'unknown.yaml'], status: 2, codes: 2 },
  { args: ['crd.yaml'], status: 0, codes: 0 },
];

for (const { args, status: wanted, codes: count } of cases) {
  test(`all formats agree on ${args.join(' ')}`, () => {
    const told = Object.entries(readers).map(([format, read]) => {
      const { status, stdout } = runProgram(folder, ['check', '--crds', 'crd.yaml', '--format', format, ...args]);
      assert.equal(status, wanted, format);
      return { format, ...read(stdout) };
    });
    for (const { format, codes, failures, exitCode } of told) {
      assert.equal(codes.length, count, format);
      assert.deepEqual(codes, told[0]!.codes, format);
      if (failures !== undefined) assert.equal(failures > 0, wanted !== 0, format);
      if (exitCode !== undefined) assert.equal(exitCode, wanted, format);
    }
  });
}

test('every format that the program has is among them', () => {
  const help = runProgram(folder, ['check', '--help']).stdout;
  assert.deepEqual(/--format FORMAT +(.*);/.exec(help)?.[1]?.split(', '), Object.keys(readers));
});

test('JSON is as its schema says, whatever the exit code', () => {
  const validate = new Ajv2020({ strict: false }).compile(
    JSON.parse(readFileSync('docs/check-output.schema.json', 'utf8')),
  );
  for (const { args } of cases) {
    const { stdout } = runProgram(folder, ['check', '--crds', 'crd.yaml', '--format', 'json', ...args]);
    assert.ok(validate(JSON.parse(stdout)), JSON.stringify(validate.errors));
  }
});
