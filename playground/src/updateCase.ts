// A test case of an update, of which both objects are at hand.

/** The case as text, under the head of a file of tests that names the CRD; undefined where a text holds several objects. */
export function updateCase(
  head: string,
  { name, before, text, codes }: { name: string; before: string; text: string; codes: readonly string[] },
): string | undefined {
  if ([before, text].some((one) => /^---/m.test(one.trim()))) return undefined;
  const errors = codes.map((code) => `      - {code: ${code}}`);
  return [
    head,
    'cases:',
    `  - name: ${JSON.stringify(`an update of ${name}`)}`,
    '    update:',
    '      from:',
    indented(before),
    '      to:',
    indented(text),
    ...(errors.length > 0 ? ['    errors:', ...errors] : []),
    '',
  ].join('\n');
}

function indented(text: string): string {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '' : `        ${line}`))
    .join('\n');
}
