import assert from 'node:assert/strict';
import { test } from 'node:test';
import { childrenOf, type Expr } from '../../server/src/cel/ast.ts';
import { compile, issuesOf } from '../../server/src/cel/compile.ts';
import { syntaxProblems } from '../../server/src/cel/grammar/report.ts';
import { parse } from '../../server/src/cel/parse.ts';
import type { CelProblem } from '../../server/src/cel/source.ts';
import { schemaEnvironment } from '../../server/src/kubernetes/cel/environment.ts';
import { kubernetesVersions, newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { seeded } from '../support/random.ts';
import { anyText, judgeText } from './anyText.ts';
import { sampleDecl } from './sample.ts';

test('any text gives a tree with places inside the text, in every release', () => {
  for (const kubernetes of kubernetesVersions) {
    const env = schemaEnvironment(kubernetes, kubernetes.name, sampleDecl);
    const random = seeded(Number(kubernetes.name.slice(2)));
    for (let i = 0; i < 1500; i++) {
      const text = anyText(random);
      try {
        judgeText(text, env);
      } catch (error) {
        assert.fail(`${kubernetes.name} ${JSON.stringify(text)}: ${error instanceof Error ? error.stack : error}`);
      }
    }
  }
});

const newest = schemaEnvironment(newestVersion, newestVersion.name, sampleDecl);

test('nesting, chains and sizes beyond the limits end in an error, not in an overflow', () => {
  const deep = 100_000;
  const texts: [text: string, message: RegExp][] = [
    ['('.repeat(deep), /expression recursion limit exceeded: 250/],
    ['['.repeat(300), /expression recursion limit exceeded: 250/],
    [`self${'.a'.repeat(deep / 4)}`, /max recursion depth exceeded/],
    [`1${' + 1'.repeat(deep / 8)}`, /max recursion depth exceeded/],
    ['!'.repeat(deep), /extraneous input '<EOF>'/],
    ['a ? b : '.repeat(400), /expression recursion limit exceeded: 250/],
    ['a'.repeat(deep + 1), /code point size exceeds limit: size: 100001, limit 100000/],
    [`optional.of(1)${'.optMap(x, x)'.repeat(40)}`, /./],
  ];
  for (const [text, message] of texts) assert.match(issuesOf(compile(text, newest.env), newest.env) ?? 'none', message);
});

test('a row of || or && may be long', () => {
  const text = `self.n == 1${' || self.n == 2'.repeat(2000)}`;
  assert.equal(issuesOf(compile(text, newest.env), newest.env), undefined);
});

test('both parsers accept the same texts, and refuse those of no meaning with the same words', () => {
  const { syntax } = newest.env;
  const random = seeded(7);
  let accepted = 0;
  const wordsOf = (problems: readonly CelProblem[]) => problems.map(({ at, message }) => `${at} ${message}`).sort();
  for (let i = 0; i < 4000; i++) {
    const text = anyText(random);
    const fast = parse(text, syntax);
    if (fast.suspect) continue;
    const exact = syntaxProblems(text, syntax);
    if (fast.syntax.length > 0) {
      assert.notDeepEqual(exact, [], JSON.stringify(text));
      continue;
    }
    accepted++;
    assert.deepEqual(wordsOf(fast.problems), wordsOf(exact), JSON.stringify(text));
  }
  assert.ok(accepted > 300, `${accepted} accepted`);
});

test('unfinished texts have nodes for what is being typed', () => {
  const unfinished = (text: string): Expr | undefined => {
    const find = (e: Expr): Expr | undefined => {
      if (e.kind === 'select' && e.field === '') return e;
      return childrenOf(e).map(find).find(Boolean);
    };
    return find(compile(text, newest.env).expr);
  };
  const typeBefore = (text: string) => {
    const found = unfinished(text);
    return found?.kind === 'select' ? found.operand.type.text : undefined;
  };
  assert.equal(typeBefore('self.obj.'), 'selfType.obj');
  assert.equal(typeBefore('self.items.all(i, i.'), 'selfType.items.@idx');
  assert.equal(typeBefore('has(self.'), 'selfType');
  assert.equal(typeBefore("self.items.exists(i, i.name == 'a' && self.obj.deep."), 'selfType.obj.deep');
});
