import { utf8 } from './bytes.ts';
import { quote } from './quote.ts';

/** A URL as Go's net/url parses it. Texts are decoded as Go decodes them. */
export interface Url {
  readonly scheme: string;
  readonly opaque: string;
  readonly user?: { readonly name: string; readonly password?: string };
  readonly host: string;
  readonly path: string;
  readonly rawPath: string;
  readonly rawQuery: string;
  readonly forceQuery: boolean;
  readonly fragment: string;
  /** The fragment as it was written. */
  readonly rawFragment: string;
  /** There is a path behind the scheme, and no host between them, not even an empty one. */
  readonly omitHost: boolean;
}

export type UrlParse = { readonly url: Url } | { readonly error: string };

/** The kinds of text in a URL; each lets other characters stand unescaped. */
type Part = 'path' | 'user' | 'host' | 'zone' | 'fragment';

class Refused extends Error {}

function refuse(message: string): never {
  throw new Refused(message);
}

// Everything below works on byte strings, one UTF-16 unit for each byte of the UTF-8 text, as Go does.
const decoder = new TextDecoder();

function toBytes(text: string): string {
  return Array.from(utf8(text), (byte) => String.fromCharCode(byte)).join('');
}

function fromBytes(bytes: string): string {
  return decoder.decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
}

const unreserved = /[A-Za-z0-9_.~-]/;
const literals: Readonly<Record<Part, string>> = {
  path: '$&+:=@,;/',
  user: '&=+$;,',
  host: '!$&\'()*+,;=:[]<>"',
  zone: '!$&\'()*+,;=:[]<>"',
  fragment: "$&+,/:;=?@!()*'",
};

function mustEscape(byte: string, part: Part): boolean {
  return !unreserved.test(byte) && !literals[part].includes(byte);
}

function encodePart(bytes: string, part: Part): string {
  return bytes.replace(/[\s\S]/g, (byte) =>
    mustEscape(byte, part) ? `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}` : byte,
  );
}

function escapeError(bytes: string): never {
  return refuse(`invalid URL escape ${quote(fromBytes(bytes))}`);
}

function checkEscape(escaped: string, part: Part): void {
  if (!/^%[0-9A-Fa-f]{2}$/.test(escaped)) escapeError(escaped);
  const code = Number.parseInt(escaped.slice(1), 16);
  if (part === 'host' && code < 0x80 && escaped !== '%25') escapeError(escaped);
  const byte = String.fromCharCode(code);
  if (part === 'zone' && escaped !== '%25' && byte !== ' ' && mustEscape(byte, 'host')) escapeError(escaped);
}

function decodePart(bytes: string, part: Part): string {
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] === '%') {
      checkEscape(bytes.slice(i, i + 3), part);
      i += 2;
    } else if ((part === 'host' || part === 'zone') && bytes.charCodeAt(i) < 0x80 && mustEscape(bytes[i]!, part)) {
      refuse(`invalid character ${quote(bytes[i]!)} in host name`);
    }
  }
  return bytes.replace(/%(..)/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

function cut(bytes: string, separator: string): [string, string] {
  const at = bytes.indexOf(separator);
  return at < 0 ? [bytes, ''] : [bytes.slice(0, at), bytes.slice(at + separator.length)];
}

function schemeOf(bytes: string): [string, string] {
  if (bytes.startsWith(':')) return refuse('missing protocol scheme');
  const found = /^[A-Za-z][A-Za-z0-9+.-]*:/.exec(bytes)?.[0];
  return found === undefined ? ['', bytes] : [found.slice(0, -1).toLowerCase(), bytes.slice(found.length)];
}

function checkPort(port: string): void {
  if (!/^(:[0-9]*)?$/.test(port)) refuse(`invalid port ${quote(fromBytes(port))} after host`);
}

const ipv6Group = /^[0-9A-Fa-f]{1,4}$/;

function isIpv6(address: string): boolean {
  const [bare] = cut(address, '%');
  const tail = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(bare);
  if (tail?.slice(2).some((part) => Number(part) > 255 || /^0\d/.test(part))) return false;
  const text = tail ? `${tail[1]}0:0` : bare;
  const halves = text.split('::');
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  return (
    groups.every((group) => ipv6Group.test(group)) && (halves.length === 2 ? groups.length < 8 : groups.length === 8)
  );
}

function bracketedHost(host: string): string {
  const close = host.lastIndexOf(']');
  if (close < 0) refuse("missing ']' in host");
  const port = host.slice(close + 1);
  checkPort(port);
  const name = host.slice(1, close);
  const zone = name.indexOf('%25');
  const address =
    zone < 0
      ? decodePart(name, 'host')
      : decodePart(name.slice(0, zone), 'host') + decodePart(name.slice(zone), 'zone');
  if (/^\d+\.\d+\.\d+\.\d+$/.test(address)) refuse('invalid IP-literal');
  if (!isIpv6(address)) refuse(`invalid host: ParseAddr(${quote(fromBytes(address))}): unable to parse IP`);
  return `[${address}]${port}`;
}

function hostOf(scheme: string, host: string, strictColons: boolean): string {
  const bracket = host.lastIndexOf('[');
  if (bracket > 0) refuse('invalid IP-literal');
  if (bracket === 0) return bracketedHost(host);
  const first = host.indexOf(':');
  const strict = strictColons && (scheme === 'http' || scheme === 'https');
  if (first >= 0) checkPort(host.slice(strict ? first : host.lastIndexOf(':')));
  return decodePart(host, 'host');
}

function userOf(info: string): NonNullable<Url['user']> {
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(info)) refuse('net/url: invalid userinfo');
  if (!info.includes(':')) return { name: decodePart(info, 'user') };
  const [name, password] = cut(info, ':');
  return { name: decodePart(name, 'user'), password: decodePart(password, 'user') };
}

function authorityOf(scheme: string, authority: string, strictColons: boolean): Pick<Url, 'user' | 'host'> {
  const at = authority.lastIndexOf('@');
  const host = hostOf(scheme, authority.slice(at + 1), strictColons);
  return at < 0 ? { host } : { host, user: userOf(authority.slice(0, at)) };
}

function splitQuery(rest: string): Pick<Url, 'rawQuery' | 'forceQuery'> & { path: string } {
  if (rest.endsWith('?') && rest.indexOf('?') === rest.length - 1) {
    return { path: rest.slice(0, -1), rawQuery: '', forceQuery: true };
  }
  const [path, rawQuery] = cut(rest, '?');
  return { path, rawQuery, forceQuery: false };
}

function checkRelative(rest: string, viaRequest: boolean): void {
  if (viaRequest) refuse('invalid URI for request');
  if (cut(rest, '/')[0].includes(':')) refuse('first path segment in URL cannot contain colon');
}

const empty: Url = {
  scheme: '',
  opaque: '',
  host: '',
  path: '',
  rawPath: '',
  rawQuery: '',
  forceQuery: false,
  fragment: '',
  rawFragment: '',
  omitHost: false,
};

function parseBytes(bytes: string, viaRequest: boolean, strictColons: boolean): Url {
  if (/[\u0000-\u001f\u007f]/.test(bytes)) refuse('net/url: invalid control character in URL');
  if (bytes === '' && viaRequest) refuse('empty url');
  if (bytes === '*') return { ...empty, path: '*' };
  const [scheme, afterScheme] = schemeOf(bytes);
  const { path: rest, rawQuery, forceQuery } = splitQuery(afterScheme);
  const start: Url = { ...empty, scheme, rawQuery, forceQuery };
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { ...start, opaque: rest };
    checkRelative(rest, viaRequest);
  }
  const hasAuthority = rest.startsWith('//') && (scheme !== '' || (!viaRequest && !rest.startsWith('///')));
  if (!hasAuthority) return { ...start, ...pathOf(rest), omitHost: scheme !== '' && rest.startsWith('/') };
  const slash = rest.indexOf('/', 2);
  const authority = rest.slice(2, slash < 0 ? undefined : slash);
  return { ...start, ...authorityOf(scheme, authority, strictColons), ...pathOf(slash < 0 ? '' : rest.slice(slash)) };
}

function pathOf(escaped: string): Pick<Url, 'path' | 'rawPath'> {
  const path = decodePart(escaped, 'path');
  return { path, rawPath: encodePart(path, 'path') === escaped ? '' : escaped };
}

function textUrl(url: Url): Url {
  const user = url.user && {
    name: fromBytes(url.user.name),
    ...(url.user.password !== undefined && { password: fromBytes(url.user.password) }),
  };
  return {
    scheme: fromBytes(url.scheme),
    opaque: fromBytes(url.opaque),
    ...(user && { user }),
    host: fromBytes(url.host),
    path: fromBytes(url.path),
    rawPath: fromBytes(url.rawPath),
    rawQuery: fromBytes(url.rawQuery),
    forceQuery: url.forceQuery,
    fragment: fromBytes(url.fragment),
    rawFragment: url.rawFragment,
    omitHost: url.omitHost,
  };
}

function attempt(shown: string, parse: () => Url): UrlParse {
  try {
    return { url: textUrl(parse()) };
  } catch (error) {
    if (error instanceof Refused) return { error: `parse ${quote(shown)}: ${error.message}` };
    throw error;
  }
}

/** Go's url.Parse, with its error's text. `strictColons`: as since Go 1.26 a web host holds at most one colon. */
export function parseUrl(text: string, strictColons = true): UrlParse {
  const [body, fragment] = cut(text, '#');
  const parsed = attempt(body, () => parseBytes(toBytes(body), false, strictColons));
  if ('error' in parsed || fragment === '') return parsed;
  const withFragment = attempt(text, () => ({ ...empty, fragment: decodePart(toBytes(fragment), 'fragment') }));
  if ('error' in withFragment) return withFragment;
  return { url: { ...parsed.url, fragment: withFragment.url.fragment, rawFragment: fragment } };
}

/** Go's url.ParseRequestURI: only absolute URLs and absolute paths. */
export function parseRequestUri(text: string, strictColons = true): UrlParse {
  return attempt(text, () => parseBytes(toBytes(text), true, strictColons));
}

/** A URL's user information as Go prints it. */
export function userText(user: NonNullable<Url['user']>): string {
  const name = encodePart(toBytes(user.name), 'user');
  return user.password === undefined ? name : `${name}:${encodePart(toBytes(user.password), 'user')}`;
}

/** Characters that may stand unescaped in a written path. */
const writtenPath = /^(?:[A-Za-z0-9_.~$&+:=@,;/!'()*[\]-]|%[0-9A-Fa-f]{2})*$/;

/** Go's EscapedPath: as it was written where that was a good way to write it. */
export function escapedPath({ path, rawPath }: Url): string {
  if (rawPath !== '' && writtenPath.test(rawPath) && fromBytes(decodePart(toBytes(rawPath), 'path')) === path) {
    return rawPath;
  }
  return path === '*' ? '*' : encodePart(toBytes(path), 'path');
}

/** Go's Hostname and Port. */
export function hostAndPort(text: string): { readonly host: string; readonly port: string } {
  const colon = text.lastIndexOf(':');
  const hasPort = colon >= 0 && /^:[0-9]*$/.test(text.slice(colon));
  const host = hasPort ? text.slice(0, colon) : text;
  const port = hasPort ? text.slice(colon + 1) : '';
  return { host: host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host, port };
}

/** Go's Query: names and their values; what cannot be read is left out. */
export function queryOf(rawQuery: string): Map<string, string[]> {
  const query = new Map<string, string[]>();
  for (const part of rawQuery.split('&')) {
    if (part === '' || part.includes(';')) continue;
    const [name, value] = cut(part, '=').map(queryText) as [string | undefined, string | undefined];
    if (name === undefined || value === undefined) continue;
    const values = query.get(name);
    if (values) values.push(value);
    else query.set(name, [value]);
  }
  return query;
}

function queryText(text: string): string | undefined {
  if (/%(?![0-9A-Fa-f]{2})/.test(text)) return undefined;
  const bytes = toBytes(text.replaceAll('+', ' '));
  return fromBytes(bytes.replace(/%(..)/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))));
}

function escapedFragment({ fragment, rawFragment }: Url): string {
  return rawFragment !== '' && writtenFragment.test(rawFragment)
    ? rawFragment
    : encodePart(toBytes(fragment), 'fragment');
}

const writtenFragment = /^(?:[A-Za-z0-9_.~$&+:=@,;/?!'()*[\]-]|%[0-9A-Fa-f]{2})*$/;

/** A URL as Go prints it. */
export function urlText(url: Url): string {
  const { scheme, rawQuery, forceQuery, fragment } = url;
  const query = forceQuery || rawQuery !== '' ? `?${rawQuery}` : '';
  const end = `${query}${fragment === '' ? '' : `#${escapedFragment(url)}`}`;
  return `${scheme === '' ? '' : `${scheme}:`}${url.opaque === '' ? hostAndPath(url) : url.opaque}${end}`;
}

function hostAndPath(url: Url): string {
  const { scheme, user, host, omitHost } = url;
  const path = escapedPath(url);
  if (scheme === '' && host === '' && !user) return path;
  if (omitHost && host === '' && !user) return path;
  const slashes = host !== '' || path !== '' || user ? '//' : '';
  const before = `${slashes}${user ? `${userText(user)}@` : ''}${encodePart(toBytes(host), 'host')}`;
  return `${before}${path !== '' && !path.startsWith('/') && host !== '' ? '/' : ''}${path}`;
}

/** A text that two URLs share exactly where Go prints them alike. */
export function urlKey(url: Url): string {
  const { scheme, opaque, user, host, rawQuery, forceQuery, fragment } = url;
  const query = forceQuery || rawQuery !== '' ? `?${rawQuery}` : '';
  return JSON.stringify([scheme, opaque, user ? userText(user) : null, host, escapedPath(url), query, fragment]);
}
