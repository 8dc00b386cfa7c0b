/** The scheme of documents that show what has no file of its own: what is in an archive, or made from a schema. */
export const shownScheme = 'kube-crd';

/**
 * The address of such a document: its path is for people, with no character that some editor writes in another way, its
 * query tells it from all others.
 */
export function shownUri(home: string, path: string): string {
  const steps = [...home.split('/').slice(-1), ...path.split('/')];
  const readable = steps.map((step) => step.replace(/%[0-9A-Fa-f]{2}/g, '_').replace(/[^A-Za-z0-9._-]/g, '_'));
  return `${shownScheme}:/${readable.join('/')}?${hexOf(`${home}!${path}`)}`;
}

export function isShownUri(uri: string): boolean {
  return uri.startsWith(`${shownScheme}:`);
}

function hexOf(text: string): string {
  return [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
