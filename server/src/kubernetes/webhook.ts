import { append } from '../base/append.ts';
import { parseUrl, type Url, userText } from '../gostd/url.ts';
import { child, type FieldPath, invalid, required } from './field.ts';
import type { About, Said } from './finding.ts';
import { dns1123Subdomain } from './names.ts';
import type { KubernetesVersion } from './releases/release.ts';

// Where a webhook is, of conversion and of admission alike. The codes are the caller's.

const form = '; desired format: https://host[/path]';

/** `about` is asked with the part of the URL that is wrong; with none where it is not a URL at all. */
export function validateWebhookUrl<A extends About>(
  text: string,
  spot: FieldPath,
  version: KubernetesVersion,
  about: (part?: string) => A,
): (A & Said)[] {
  const parsed = parseUrl(text, version.strictUrlColons);
  if ('error' in parsed) {
    return [
      required(spot, `url must be a valid URL: ${parsed.error}${form}`, { ...about(), anchor: 'value' as const }),
    ];
  }
  return urlProblems(parsed.url).map(([value, detail]) => invalid(spot, value, detail, version, about(value)));
}

function urlProblems(url: Url): [string, string][] {
  const found: [string, string][] = [];
  if (url.scheme !== 'https') found.push([url.scheme, `'https' is the only allowed URL scheme${form}`]);
  if (url.host === '') found.push([url.host, `host must be specified${form}`]);
  if (url.user) found.push([userText(url.user), 'user information is not permitted in the URL']);
  if (url.fragment !== '') found.push([url.fragment, 'fragments are not permitted in the URL']);
  if (url.rawQuery !== '') found.push([url.rawQuery, 'query parameters are not permitted in the URL']);
  return found;
}

export interface WebhookService {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly port?: bigint | undefined;
  readonly path?: string | undefined;
}

export interface ServiceAbout<Missing, Port, Path> {
  missing(field: 'name' | 'namespace'): Missing;
  readonly port: Port;
  readonly path: Path;
}

/** Name and namespace are swapped upstream: an empty name is reported as the namespace's fault and vice versa. */
export function validateWebhookService<Missing extends About, Port extends About, Path extends About>(
  service: WebhookService,
  spot: FieldPath,
  version: KubernetesVersion,
  about: ServiceAbout<Missing, Port, Path>,
): ((Missing | Port | Path) & Said)[] {
  const found: ((Missing | Port | Path) & Said)[] = [];
  const missing = (field: 'name' | 'namespace', absent: 'name' | 'namespace') => {
    const detail = version.omitsRepeatedField ? '' : `service ${field} is required`;
    found.push(required(child(spot, field, [absent]), detail, about.missing(absent)));
  };
  if (!service.namespace) missing('name', 'namespace');
  if (!service.name) missing('namespace', 'name');
  const port = service.port ?? 0n;
  if (port < 1n || port > 65535n) {
    const detail = 'port is not valid: must be between 1 and 65535, inclusive';
    found.push(invalid(child(spot, 'port'), port, detail, version, about.port));
  }
  const path = service.path ?? '';
  for (const text of pathTexts(path)) found.push(invalid(child(spot, 'path'), path, text, version, about.path));
  return found;
}

function pathTexts(path: string): string[] {
  if (path === '' || path === '/') return [];
  if (path === '//') return ['segment[0] may not be empty'];
  const texts = path.startsWith('/') ? [] : ["must start with a '/'"];
  // Upstream drops the first byte whatever it is, and one trailing slash.
  const rest = dropFirstByte(path).replace(/\/$/, '');
  rest.split('/').forEach((segment, i) => {
    if (segment === '') texts.push(`segment[${i}] may not be empty`);
    else
      append(
        texts,
        dns1123Subdomain(segment).map((text) => `segment[${i}]: ${text}`),
      );
  });
  return texts;
}

/** A first character of several bytes leaves some behind, which no name may hold. */
function dropFirstByte(path: string): string {
  return path.charCodeAt(0) < 0x80 ? path.slice(1) : `\ufffd${path.slice(1)}`;
}
