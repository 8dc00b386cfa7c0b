import assert from 'node:assert/strict';
import { childrenOf, type Expr } from '../../server/src/cel/ast.ts';
import { compile, issuesOf } from '../../server/src/cel/compile.ts';
import { estimateCost } from '../../server/src/cel/cost.ts';
import type { SchemaEnv } from '../../server/src/kubernetes/cel/environment.ts';
import { celGenerator } from '../fuzz/generators/cel.ts';
import type { Random } from '../support/random.ts';

const pieces = [
  ...'()[]{}.,?:!-+*/%<>=&|\'"`\\@#$ \n\t\r_~^',
  ...[
    '==',
    '!=',
    '&&',
    '||',
    'in',
    'true',
    'null',
    'self',
    'has(',
    '.all(x,',
    '.map(',
    'optMap',
    '1',
    '0x',
    '1u',
    '1e9',
    '.5',
  ],
  ...[
    "'a'",
    'b"x"',
    "r'\\d'",
    '"""',
    "'''",
    '\\u00e9',
    '\\xff',
    'é',
    '😀',
    '\ud800',
    '//',
    '.?',
    '[?',
    'self.items',
    '{a:1}',
  ],
];

/** A text of one of three kinds: a changed expression, random tokens, random characters. */
export function anyText(random: Random): string {
  const kind = random.below(3);
  if (kind === 0) return mangled(random, String(celGenerator.generate(random).expr));
  const count = random.below(random.chance(0.02) ? 400 : 25);
  if (kind === 1) return Array.from({ length: count }, () => random.pick(pieces)).join(random.chance(0.5) ? '' : ' ');
  const wide = random.chance(0.2) ? 0x10ffff : 0x7f;
  return Array.from({ length: count }, () => String.fromCodePoint(random.below(wide + 1))).join('');
}

function mangled(random: Random, text: string): string {
  const at = random.below(text.length + 1);
  const change = random.below(4);
  if (change === 0) return text.slice(0, at);
  if (change === 1) return text.slice(at);
  if (change === 2) return text.slice(0, at) + random.pick(pieces) + text.slice(at);
  return text.slice(0, at) + text.slice(at + 1 + random.below(5));
}

/** Goes all the way with a text, and looks at what came out. */
export function judgeText(text: string, { env, model }: SchemaEnv): void {
  const compiled = compile(text, env);
  const issues = issuesOf(compiled, env);
  let nodes = 0;
  const visit = (e: Expr): void => {
    nodes++;
    assert.ok(e.start >= 0 && e.end <= text.length && e.start <= e.end, `${e.kind} at ${e.start}–${e.end}`);
    assert.ok(e.at <= text.length);
    for (const child of childrenOf(e)) visit(child);
  };
  visit(compiled.expr);
  assert.ok(nodes <= compiled.size);
  for (const problem of [...compiled.problems, ...compiled.syntax]) {
    assert.ok(problem.at <= text.length);
    assert.ok((problem.start ?? 0) <= (problem.end ?? text.length) && (problem.end ?? 0) <= text.length);
  }
  if (issues === undefined) assert.ok(estimateCost(compiled.expr, model).total.min >= 0);
}
