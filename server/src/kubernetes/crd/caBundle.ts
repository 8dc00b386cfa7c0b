import { nextPemBlock, type PemBlock } from '../../gostd/pem.ts';
import { type CertificateVerdict, parseCertificate } from '../../gostd/x509.ts';

/** What the API server says of a CA bundle; one valid certificate is enough for it. */
export function caBundleVerdict(bundle: Uint8Array): CertificateVerdict {
  const text = new TextDecoder('latin1').decode(bundle);
  const blocks = blocksOf(text);
  let problem: string | undefined;
  let unsure = false;
  for (const { bytes } of blocks.filter(({ type, hasHeaders }) => type === 'CERTIFICATE' && !hasHeaders)) {
    const verdict = parseCertificate(bytes);
    if (verdict === 'valid') return 'valid';
    if (verdict === 'unsure') unsure = true;
    else problem ??= `failed to parse certificate: ${verdict.problem}`;
  }
  if (unsure) return 'unsure';
  problem ??=
    (blocks.at(-1)?.next ?? 0) < text.length
      ? 'unable to parse bytes as PEM block'
      : 'no valid certificate authority data seen';
  return { problem: `unable to load root certificates: ${problem}` };
}

function blocksOf(text: string): PemBlock[] {
  const blocks: PemBlock[] = [];
  for (let block = nextPemBlock(text, 0); block; block = nextPemBlock(text, block.next)) blocks.push(block);
  return blocks;
}
