import { nextPemBlock, type PemBlock } from '../../gostd/pem.ts';

/** `unsure`: there is a certificate, of which nothing is read but where it ends. */
export type BundleVerdict = 'unsure' | { readonly problem: string };

/** What the API server says of a CA bundle; one valid certificate is enough for it. */
export function caBundleVerdict(bundle: Uint8Array): BundleVerdict {
  const text = new TextDecoder('latin1').decode(bundle);
  const blocks = blocksOf(text);
  let problem: string | undefined;
  for (const { bytes } of blocks.filter(({ type, hasHeaders }) => type === 'CERTIFICATE' && !hasHeaders)) {
    if (isSequence(bytes)) return 'unsure';
    problem ??= 'failed to parse certificate: x509: malformed certificate';
  }
  problem ??=
    (blocks.at(-1)?.next ?? 0) < text.length
      ? 'unable to parse bytes as PEM block'
      : 'no valid certificate authority data seen';
  return { problem: `unable to load root certificates: ${problem}` };
}

/** A certificate is a sequence in DER: one that was cut off ends before it is over. */
function isSequence(der: Uint8Array): boolean {
  const [tag, first = 0x80, ...rest] = der.subarray(0, 6);
  const long = first > 0x80 ? rest.slice(0, first - 0x80) : [];
  const length = first < 0x80 ? first : long.reduce((all, byte) => all * 256 + byte, 0);
  // Lengths are as short as can be, and have four bytes at most.
  const isShortest = first < 0x80 || (length > 0x7f && long[0] !== 0);
  const isThere = 2 + long.length + length <= der.length;
  return tag === 0x30 && first !== 0x80 && first <= 0x84 && isShortest && isThere;
}

function blocksOf(text: string): PemBlock[] {
  const blocks: PemBlock[] = [];
  for (let block = nextPemBlock(text, 0); block; block = nextPemBlock(text, block.next)) blocks.push(block);
  return blocks;
}
