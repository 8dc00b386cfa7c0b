import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { commands } from '../../server/src/cli/commands/all.ts';
import { commandHelp } from '../../server/src/cli/table/help.ts';
import { choice, flag, number, type OptionTable, text, texts, typed } from '../../server/src/cli/table/option.ts';
import { readArguments } from '../../server/src/cli/table/read.ts';
import { common } from '../../server/src/cli/table/shared.ts';

// The table of options: how it is read, and that an option means the same in all commands.

const table = {
  quiet: flag('', { short: 'q' }),
  format: choice('FORMAT', ['text', 'json'], '', { fallback: 'text', short: 'o' }),
  maxWarnings: number('NUMBER', ''),
  crds: texts('PATH', ''),
  baseline: text('REF', ''),
};

const read = (...args: string[]) => readArguments(table, args);

test('options come anywhere, with their value behind them or behind an equals sign', () => {
  const { values, rest } = read('a', '--format', 'json', '--crds=x', '-q', '--crds', 'y', '-', '--max-warnings=3');
  assert.deepEqual(values, { quiet: true, format: 'json', maxWarnings: 3, crds: ['x', 'y'], baseline: undefined });
  assert.deepEqual(rest, ['a', '-']);
  for (const args of [['-o', 'json'], ['-ojson'], ['-o=json'], ['--format=text', '--format=json']])
    assert.equal(read(...args).values.format, 'json', args.join(' '));
  assert.deepEqual(read('a', '--', '--quiet', '--', '-x').rest, ['a', '--quiet', '--', '-x']);
  assert.equal(read('--baseline', '-1').values.baseline, '-1');
  assert.equal(read('--baseline=').values.baseline, '');
  assert.equal(read('--baseline=a=b').values.baseline, 'a=b');
});

test('what is wrong is said in words of ours', () => {
  const said = (...args: string[]) => {
    try {
      read(...args);
    } catch (error) {
      return error instanceof Error ? error.message : '';
    }
    return undefined;
  };
  assert.deepEqual(said('--formt', 'x'), 'there is no option --formt; did you mean --format?');
  assert.deepEqual(said('--zzz'), 'there is no option --zzz');
  assert.deepEqual(said('-z'), 'there is no option -z');
  assert.deepEqual(said('-1'), 'there is no option -1; -- goes before what begins with a dash');
  assert.deepEqual(said('--quiet=yes'), '--quiet takes no value');
  assert.deepEqual(said('-qx'), '-q takes no value');
  assert.deepEqual(said('--baseline'), '--baseline takes a value: --baseline REF');
  assert.deepEqual(said('--baseline', '--quiet'), '--baseline takes a value, and --quiet is an option: --baseline REF');
  assert.deepEqual(said('--format', 'jsn'), '--format is one of text, json, not jsn; did you mean json?');
  assert.deepEqual(said('--max-warnings', 'many'), '--max-warnings takes a number, not many');
});

/** Every option of every command, with the command's name. */
const all = commands.flatMap(({ name, options }) =>
  Object.entries({ ...options, ...common }).map(([key, option]) => ({ name, key, ...option })),
);

test('an option has one meaning everywhere', () => {
  for (const one of all) {
    for (const other of all.filter(({ key }) => key === one.key)) {
      const where = `${typed(one.key)} of ${one.name} and ${other.name}`;
      // One version, or several.
      const takes = (what = '') => what.replace(/S$/, '');
      assert.deepEqual([takes(one.takes), one.short], [takes(other.takes), other.short], where);
    }
    for (const other of all.filter(({ short }) => short !== undefined && short === one.short))
      assert.equal(other.key, one.key, `-${one.short} of ${one.name} and ${other.name}`);
  }
});

test('help has lines for a terminal, and names every option', () => {
  for (const command of commands) {
    const help = commandHelp(command);
    const examples = new Set(command.examples.map((example) => `  ${example}`));
    for (const line of help.split('\n')) assert.ok(line.length <= 120 || examples.has(line), line);
    const options: OptionTable = command.options;
    for (const key of Object.keys(options)) assert.match(help, new RegExp(`^ +(?:-\\w, )?${typed(key)}\\b`, 'm'));
  }
});

const hasGroff = spawnSync('groff', ['--version']).status === 0;

test('the man page is one that groff can set', { skip: !hasGroff && 'there is no groff here' }, () => {
  const page = readFileSync('docs/kube-crd.1', 'utf8');
  const { status, stdout, stderr } = spawnSync('groff', ['-man', '-Tascii', '-ww'], { input: page, encoding: 'utf8' });
  assert.deepEqual([status, stderr], [0, '']);
  const plain = stdout.replace(/.\x08/g, '');
  for (const { name } of commands) assert.match(plain, new RegExp(`^ +kube-crd ${name} `, 'm'));
  assert.match(plain, /--kubernetes VERSIONS/);
});
