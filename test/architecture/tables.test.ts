import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const source = path.resolve('server/src');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));

/** Tables that are asked for names of our own, or for single characters: no name of a document gets there. */
const ownKeys: ReadonlySet<string> = new Set([
  'cel/eval/goType.ts names',
  'cel/libraries/strings.ts quoted',
  'cel/literal.ts simple',
  'cel/overload.ts builders',
  'cel/overload.ts simple',
  'cel/grammar/visit.ts rules',
  'features/place/expressionAt.ts styles',
  'gostd/json.ts shortEscapes',
  'gostd/jsonPrint.ts short',
  'gostd/time.ts ranges',
  'kubernetes/cel/escape.ts escapes',
  'kubernetes/cel/lists.ts goTypes',
  'kubernetes/cel/values.ts urlLetters',
  'kubernetes/schema/fieldPath.ts escapes',
  'rules/crd/expressionFixes.ts conversion',
  'workspace/glob.ts steps',
  'kubernetes/versionPriority.ts stability',
]);

// `table[name]` finds what every object inherits, such as `constructor`: tables that documents are held against are
// maps, or asked with Object.hasOwn.
test('names of documents find nothing that objects inherit', () => {
  const found: string[] = [];
  for (const file of files) {
    const text = readFileSync(path.join(source, file), 'utf8');
    for (const [, name] of text.matchAll(/\bconst (\w+): Readonly<Record<string,/g)) {
      const asked = new RegExp(`(?<!Object\\.hasOwn\\(${name}, [^\\n]*)\\b${name}\\[`, 'g');
      const uses = [...text.matchAll(asked)].filter(({ index }) => !guarded(text, name!, index));
      if (uses.length > 0 && !ownKeys.has(`${file} ${name}`)) found.push(`${file} ${name}`);
    }
  }
  assert.deepEqual(found, []);
});

/** The question stands in the same line, or up to three before. */
function guarded(text: string, name: string, at: number): boolean {
  return text.slice(0, at).split('\n').slice(-4).join('\n').includes(`Object.hasOwn(${name},`);
}

/** Lists of arguments that are short by themselves. */
const few: ReadonlySet<string> = new Set([
  'cel/grammar/atn.ts',
  'cel/grammar/parser.ts',
  'features/complete/completeRule.ts',
  'gostd/base64.ts',
  'gostd/netip.ts',
  'template/sprig/lists.ts',
  'template/sprig/math.ts',
  'kubernetes/releases/environments.ts',
  'lsp/session.ts',
  'workspace/loader.ts',
  'git/history.ts',
  // Go's signatures, in texts.
  'template/sprig/math.ts',
]);

// A call takes some 120,000 arguments, and ends with a RangeError beyond.
test('no call gets a list of a document as its arguments', () => {
  const spreading = /\b(?:push|unshift|splice|concat|max|min|fromCharCode|fromCodePoint|apply)\((?:[^()\n]*, )?\.\.\./;
  const found = files.filter((file) => {
    const text = readFileSync(path.join(source, file), 'utf8');
    return text.split('\n').some((line) => spreading.test(line) && !/\(\{ /.test(line) && !line.startsWith('/**'));
  });
  assert.deepEqual(
    found.filter((file) => !few.has(file)),
    [],
  );
});
