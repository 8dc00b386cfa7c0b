import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Compiled } from '../../server/src/cel/compile.ts';
import type { SchemaProps } from '../../server/src/kubernetes/api/schema.ts';
import { type RuleNode, ruleNode } from '../../server/src/kubernetes/cel/ruleTree.ts';
import { kubernetesVersion, newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { lowerSchema } from '../../server/src/kubernetes/schema/lower.ts';

interface Edit {
  readonly description?: string;
  readonly rule?: string;
  readonly maxItems?: bigint;
}

/** A schema as it is read from a text: all objects are new each time. */
function schemaOf({ description = 'a', rule = 'self.size() < 5', maxItems = 10n }: Edit): SchemaProps {
  const rules = (...texts: string[]) => texts.map((text) => ({ rule: text, messageExpression: "'no ' + 'way'" }));
  const names: SchemaProps = {
    type: 'array',
    maxItems,
    items: { schema: { type: 'string', maxLength: 5n, validations: rules("self != 'x'") } },
    validations: rules(rule, "self.all(n, n != '')"),
  };
  const spec: SchemaProps = { type: 'object', description, properties: new Map([['names', names]]) };
  return { type: 'object', properties: new Map([['spec', spec]]), validations: rules('has(self.spec)') };
}

function compiledOf(edit: Edit, version = newestVersion): Map<string, Compiled> {
  const lowered = lowerSchema(schemaOf(edit));
  assert.ok(!('error' in lowered));
  const found = new Map<string, Compiled>();
  const walk = (node: RuleNode | undefined, at: string): void => {
    if (!node) return;
    for (const [i, { compiled, message }] of node.rules.entries()) {
      if (compiled) found.set(`${at}[${i}]`, compiled);
      if (message) found.set(`${at}[${i}] message`, message);
    }
    walk(node.items, `${at}.items`);
    for (const name of node.names) walk(node.property(name), `${at}.${name}`);
  };
  walk(ruleNode(lowered.structural, true, version), 'root');
  return found;
}

/** The places whose expressions were compiled again. */
function compiledAnew(before: ReadonlyMap<string, Compiled>, after: ReadonlyMap<string, Compiled>): string[] {
  return [...after].filter(([place, compiled]) => before.get(place) !== compiled).map(([place]) => place);
}

test('editing a description compiles no expression', () => {
  const before = compiledOf({});
  assert.equal(before.size, 8);
  assert.deepEqual(compiledAnew(before, compiledOf({ description: 'b' })), []);
});

test('editing one rule compiles that rule', () => {
  const anew = compiledAnew(compiledOf({}), compiledOf({ rule: 'self.size() < 6' }));
  assert.deepEqual(anew, ['root.spec.names[0]']);
});

test('editing a limit compiles the rules that see it', () => {
  const anew = compiledAnew(compiledOf({}), compiledOf({ maxItems: 11n }));
  const names = ['root.spec.names[0]', 'root.spec.names[1]'];
  assert.deepEqual(
    anew,
    ['root[0]', ...names].flatMap((place) => [place, `${place} message`]),
  );
});

test('another version compiles for itself', () => {
  const older = kubernetesVersion('1.33');
  assert.ok(older);
  assert.equal(compiledAnew(compiledOf({}), compiledOf({}, older)).length, 8);
  assert.equal(compiledAnew(compiledOf({}, older), compiledOf({ description: 'b' }, older)).length, 0);
});
