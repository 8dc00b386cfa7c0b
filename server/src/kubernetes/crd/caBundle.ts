const begin = /-----BEGIN ([^-\n]*)-----/g;
const end = /-----END ([^-\n]*)-----/g;

/** What the API server has against a CA bundle, or undefined. */
export function caBundleProblem(bundle: Uint8Array): string | undefined {
  const text = new TextDecoder('latin1').decode(bundle);
  return hasCertificate(text) ? undefined : 'unable to load root certificates: unable to parse bytes as PEM block';
}

/** Whether one of the PEM blocks, each of which ends with the first line of its type, is a certificate. */
function hasCertificate(text: string): boolean {
  const ends = endsByType(text);
  let after = 0;
  for (const { index, 0: line, 1: type = '' } of text.matchAll(begin)) {
    const body = index < after ? undefined : bodyStart(text, index + line.length);
    if (body === undefined) continue;
    const ofType = ends.get(type) ?? [];
    // Blocks come in order, so what ends before this one ends none of the next.
    while (ofType.length > 0 && ofType.at(-1)! < body) ofType.pop();
    const last = ofType.at(-1);
    if (last === undefined) continue;
    if (type === 'CERTIFICATE') return true;
    after = last + `-----END ${type}-----`.length;
  }
  return false;
}

/** Where lines stand that end blocks of a type, the last one first. */
function endsByType(text: string): ReadonlyMap<string, number[]> {
  const found = new Map<string, number[]>();
  for (const { index, 1: type = '' } of [...text.matchAll(end)].reverse()) {
    const known = found.get(type);
    if (known) known.push(index);
    else found.set(type, [index]);
  }
  return found;
}

/** Behind the line break that has to follow, with only blanks before it. */
function bodyStart(text: string, from: number): number | undefined {
  const blanks = /\s*/y;
  blanks.lastIndex = from;
  const [found] = blanks.exec(text)!;
  const last = Math.max(found.lastIndexOf('\n'), found.lastIndexOf('\r'));
  return last < 0 ? undefined : from + last + 1;
}
