import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compile, issuesOf } from '../../server/src/cel/compile.ts';
import { programOf } from '../../server/src/cel/eval/run.ts';
import { baseEnvironment } from '../../server/src/kubernetes/cel/environment.ts';
import { evalRules } from '../../server/src/kubernetes/cel/runtime.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';

const env = baseEnvironment(newestVersion, Number.POSITIVE_INFINITY);
const functions = [...env.functions.values()].flatMap((decl) => decl.overloads);
const macros = [...env.syntax.macros.values()].flat();
const examples = new Set([...functions, ...macros].map(({ example }) => example).filter((example) => example !== ''));

for (const example of examples) {
  test(`the documentation's example is true: ${example}`, () => {
    const compiled = compile(example, env);
    assert.equal(issuesOf(compiled, env), undefined);
    const programmed = programOf(compiled, env, evalRules(newestVersion));
    assert.ok('program' in programmed, JSON.stringify(programmed));
    const result = programmed.program.evaluate(() => undefined, 1_000_000);
    assert.ok('value' in result);
    assert.equal(result.value, true);
  });
}
