/** An answer as plain JSON. */
export type Plain = null | boolean | number | string | Plain[] | { [member: string]: Plain };

/**
 * An answer with all that Go leaves to chance taken out: `errors`, `warnings` and `strict` sorted, the numbers of
 * generated type names removed, `status` (the same errors once more, in random order) left out.
 */
export function normal(answer: string): Plain {
  const { id: _, status: __, ...rest } = JSON.parse(withoutChance(answer));
  // A message over several causes repeats them, in their random order.
  if (rest.causes?.length > 1) delete rest.message;
  for (const list of ['errors', 'warnings', 'strict', 'causes']) {
    if (rest[list]) rest[list] = [...rest[list]].sort((a: Plain, b: Plain) => compareText(stable(a), stable(b)));
  }
  for (const document of rest.documents ?? []) {
    // The words of a refusal are each reader's own; the fact and the line count.
    if (document.error !== undefined) document.error = refusal(document.error);
  }
  if (rest.documents && rest.decode !== undefined) rest.decode = refusal(rest.decode);
  if (rest.stored?.broken && rest.stored.errors) rest.stored.errors = withFirstFaults(rest.stored.errors);
  return rest;
}

/** What Go's parser says of a file after its first fault follows from that one. */
function withFirstFaults(errors: readonly string[]): string[] {
  const first = new Map<string, { readonly text: string; readonly at: number }>();
  const others: string[] = [];
  for (const text of errors) {
    const [, file = '', line = 0, column = 0] = /^(.*?):(\d+):(\d+): (?:expected |missing )/.exec(text) ?? [];
    const at = Number(line) * 1e6 + Number(column);
    if (at === 0) others.push(text);
    else if (at < (first.get(file)?.at ?? Number.POSITIVE_INFINITY)) first.set(file, { text, at });
  }
  return [...others, ...Array.from(first.values(), ({ text }) => text)].sort();
}

/** Numbers of generated types, addresses that Go's %#v prints up to 1.33, and the node that 1.31 shows by its own. */
function withoutChance(answer: string): string {
  return (
    answer
      .replace(/selfType\d+/g, 'selfType')
      // The uid that the server has just made of a job.
      .replace(/must be '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'/g, "must be '…'")
      .replace(/\(0xc?[0-9a-f]{8,}\)/g, '(0x0)')
      .replace(/&\{\d+ 0x[0-9a-f]+\}\(\d+\)/g, '&{0 0x0}(0)')
  );
}

function refusal(text: string): string {
  return /line \d+/.exec(text)?.[0] ?? 'refused';
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** JSON text with sorted keys: equal answers give equal texts. */
export function stable(value: Plain | undefined): string {
  if (Array.isArray(value)) return `[${value.map(stable).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'undefined';
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${stable(value[key])}`).join(',')}}`;
}

/** The places at which two answers differ, one a line: `path: ours ≠ theirs`. */
export function differences(ours: Plain | undefined, theirs: Plain | undefined, at = ''): string[] {
  if (stable(ours) === stable(theirs)) return [];
  if (Array.isArray(ours) && Array.isArray(theirs)) return listDifferences(ours, theirs, at);
  if (!isObject(ours) || !isObject(theirs)) return [`${at}: ours ${stable(ours)} ≠ theirs ${stable(theirs)}`];
  const keys = new Set([...Object.keys(ours), ...Object.keys(theirs)]);
  return [...keys].flatMap((key) => differences(ours[key], theirs[key], `${at}.${key}`));
}

function listDifferences(ours: Plain[], theirs: Plain[], at: string): string[] {
  const left = ours.map(stable);
  const right = theirs.map(stable);
  const onlyOurs = left.filter((item) => !right.some((other) => sayTheSame(item, other)));
  const onlyTheirs = right.filter((item) => !left.some((other) => sayTheSame(other, item)));
  const rows = [
    ...onlyOurs.map((item) => `${at}: only ours ${item}`),
    ...onlyTheirs.map((item) => `${at}: only theirs ${item}`),
  ];
  return rows.length > 0 || ours.length === theirs.length ? rows : [`${at}: the same items in another number`];
}

/** Where ours has `{…}`, theirs prints a struct with all its fields. */
function sayTheSame(ours: string, theirs: string): boolean {
  if (ours === theirs) return true;
  const [before, after] = ours.split('{…}');
  if (before === undefined || after === undefined) return false;
  // Go's own syntax puts the type before the braces.
  const start = before.replace(/(value: )&?[\w.]*$/, '$1');
  return theirs.startsWith(start) && theirs.endsWith(after) && theirs.length > start.length + after.length;
}

function isObject(value: Plain | undefined): value is { [member: string]: Plain } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
