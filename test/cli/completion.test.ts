import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { commands } from '../../server/src/cli/commands/all.ts';
import { typed } from '../../server/src/cli/table/option.ts';
import { shell } from '../editors/install.mjs';
import { runProgram } from '../support/program.ts';

// Completion in shells, by the shells themselves: those of this machine, or of Debian.

const without = (name: string) => {
  const found = shell(name);
  return typeof found === 'string' && found;
};
const script = (shell: string) => runProgram('.', ['completion', shell]).stdout;
const ran = (name: string, args: readonly string[], input: string) => {
  const found = shell(name);
  assert.ok(typeof found !== 'string', String(found));
  const env = { ...process.env, ...found.env };
  const { status, stdout, stderr } = spawnSync(found.command, args, { input, encoding: 'utf8', env });
  assert.deepEqual([status, stderr], [0, '']);
  return stdout.split('\n').filter((line) => line !== '');
};

/** What bash would offer behind these words: it calls the function that it was told to, in this way. */
function inBash(...words: readonly string[]): string[] {
  const quoted = words.map((word) => `'${word}'`).join(' ');
  return ran(
    'bash',
    ['--norc', '-s'],
    `${script('bash')}
COMP_WORDS=(kube-crd ${quoted}); COMP_CWORD=${words.length}
[[ $(complete -p kube-crd) =~ -F\\ ([^ ]+) ]] && "\${BASH_REMATCH[1]}"
printf '%s\\n' "\${COMPREPLY[@]}"
`,
  );
}

test('bash completes commands, options and values', { skip: without('bash') }, () => {
  assert.deepEqual(inBash('che'), ['check']);
  assert.deepEqual(inBash('').sort(), [...commands.map(({ name }) => name), 'help'].sort());
  assert.deepEqual(inBash('check', '--known'), ['--known-kind']);
  assert.deepEqual(inBash('test', '--cov'), ['--coverage', '--coverage-lcov', '--coverage-of']);
  assert.deepEqual(inBash('diff', '--known'), []);
  assert.deepEqual(inBash('check', '--format', 'js'), ['json']);
  assert.deepEqual(inBash('schema', '-o', 'open'), ['openapi-v3', 'openapi-v2']);
  // Bash makes three words of --format=js.
  assert.deepEqual(inBash('check', '--format', '=', 'js'), ['json']);
  assert.deepEqual(inBash('check', '--format', '='), inBash('check', '--format', ''));
  assert.deepEqual(inBash('check', '.', '--kubernetes', '1.36'), ['1.36']);
  assert.deepEqual(inBash('crds', 'f'), ['fetch']);
  assert.deepEqual(inBash('completion', 'z'), ['zsh']);
  // Names of files are left to bash.
  assert.deepEqual(inBash('check', '--crds', ''), []);
  assert.deepEqual(inBash('check', ''), []);
});

test('fish completes commands, options and values', { skip: without('fish') }, () => {
  const offered = (line: string) =>
    ran('fish', ['--no-config', '-c', `${script('fish')}\ncomplete -C ${JSON.stringify(line)}`], '').map(
      (row) => row.split('\t')[0],
    );
  assert.deepEqual(offered('kube-crd che'), ['check']);
  assert.deepEqual(offered('kube-crd check --known'), ['--known-kind']);
  assert.deepEqual(offered('kube-crd check --format js'), ['json']);
});

test('zsh completes commands, options and values', { skip: without('zsh') }, () => {
  assert.deepEqual(ran('zsh', ['-n'], script('zsh')), []);
  // What its functions of completion would be told.
  const told = `module_path=($ZSH_MODULES $module_path)\n_describe() { eval "print -rl -- \\"\\\${$2[@]}\\"" }; _arguments() { print -rl -- "$@" }; compdef() { : }\n`;
  const offered = (...words: readonly string[]) =>
    ran(
      'zsh',
      ['-f'],
      `${told}${script('zsh')}\nwords=(kube-crd ${words.join(' ')}); CURRENT=${words.length + 1}; _kube_crd\n`,
    );
  assert.deepEqual(
    offered("''").map((one) => one.split(':')[0]),
    [...commands.map(({ name }) => name), 'help'],
  );
  const options = offered('check', "''");
  assert.ok(
    options.some((one) => one.includes('--format[') && one.includes(':(text concise json')),
    options.join('\n'),
  );
  assert.ok(!offered('diff', "''").some((one) => one.includes('--known-kind')));
});

test('every script has each command and each of its options, with quotes that end', () => {
  for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
    const text = script(shell);
    for (const { name, options } of commands) {
      assert.match(text, new RegExp(`\\b${name}\\b`), `${shell}: ${name}`);
      for (const key of Object.keys(options)) {
        const option = shell === 'fish' ? `-l ${typed(key).slice(2)} ` : typed(key);
        const pattern = shell === 'fish' ? `from ${name}'.* ${option}` : option;
        assert.match(text, new RegExp(pattern), `${shell}: ${name} ${option}`);
      }
    }
    // Quotes as each shell writes one inside of quotes are taken out first.
    const inside = { bash: /'\\''/g, zsh: /'\\''/g, fish: /\\['\\]/g, powershell: /''/g }[shell]!;
    const lines = text.split('\n').filter((line) => !line.startsWith('#'));
    for (const line of lines) assert.equal(line.replace(inside, '').split("'").length % 2, 1, `${shell}: ${line}`);
  }
});

test('shells that are not known are named', () => {
  assert.equal(
    runProgram('.', ['completion', 'bahs']).stderr,
    'kube-crd: the shell is one of bash, zsh, fish, powershell, not bahs; did you mean bash?\n',
  );
  assert.equal(runProgram('.', ['completion']).status, 2);
});
