const pemBlock = /-----BEGIN ([^-\n]*)-----\s*[\r\n]([\s\S]*?)-----END \1-----/g;

/** What the API server has against a CA bundle, or undefined. */
export function caBundleProblem(bundle: Uint8Array): string | undefined {
  const text = new TextDecoder('latin1').decode(bundle);
  for (const [, type] of text.matchAll(pemBlock)) if (type === 'CERTIFICATE') return undefined;
  return 'unable to load root certificates: unable to parse bytes as PEM block';
}
