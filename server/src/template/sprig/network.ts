/** URLs and paths. */
import { basePath, cleanPath, dirPath, extension } from '../../gostd/path.ts';
import { hostAndPort, parseUrl, type Url, urlText, userText } from '../../gostd/url.ts';
import { Computed } from '../from.ts';
import { plain, traced } from '../functions.ts';
import { cell, GoError, GoMap, kindName } from '../value.ts';

export const network = [
  traced('urlParse(string) map[string]any', ([text], { from }) => {
    const parts = Object.entries(partsOf(text!.value as string));
    return cell(new GoMap(new Map(parts.map(([name, part]) => [name, cell(part, from)]))), from);
  }),
  plain('urlJoin(map[string]any) string', ([parts]: [GoMap]) => urlText(urlOf(parts))),
  // Which address a name has is nothing that a chart knows.
  traced('getHostByName(string) string', (_, { from }) => cell('192.0.2.1', new Computed(undefined, [from], true))),
  ...['base', 'osBase'].map((name) => plain(`${name}(string) string`, ([path]: [string]) => basePath(path))),
  ...['dir', 'osDir'].map((name) => plain(`${name}(string) string`, ([path]: [string]) => dirPath(path))),
  ...['clean', 'osClean'].map((name) => plain(`${name}(string) string`, ([path]: [string]) => cleanPath(path))),
  ...['ext', 'osExt'].map((name) => plain(`${name}(string) string`, ([path]: [string]) => extension(path))),
  ...['isAbs', 'osIsAbs'].map((name) => plain(`${name}(string) bool`, ([path]: [string]) => path.startsWith('/'))),
];

function partsOf(text: string): Record<string, string> {
  const parsed = parseUrl(text);
  if ('error' in parsed) throw new GoError(`unable to parse url: ${parsed.error}`);
  const { url } = parsed;
  return {
    scheme: url.scheme,
    host: url.host,
    hostname: hostAndPort(url.host).host,
    path: url.path,
    query: url.rawQuery,
    opaque: url.opaque,
    fragment: url.fragment,
    userinfo: url.user ? userText(url.user) : '',
  };
}

function urlOf(parts: GoMap): Url {
  const part = (key: string) => partOf(parts, key);
  const userinfo = part('userinfo');
  const user = userinfo === '' ? undefined : userOf(userinfo);
  return {
    scheme: part('scheme'),
    host: part('host'),
    path: part('path'),
    rawQuery: part('query'),
    opaque: part('opaque'),
    fragment: part('fragment'),
    ...(user && { user }),
    rawPath: '',
    forceQuery: false,
    rawFragment: '',
    omitHost: false,
  };
}

function partOf(parts: GoMap, key: string): string {
  const value = parts.get(key)?.value ?? '';
  if (typeof value === 'string') return value;
  throw new GoError(`unable to parse ${key} key, must be of type string, but ${kindName(value)} found`);
}

function userOf(text: string): Url['user'] {
  const parsed = parseUrl(`proto://${text}@host`);
  if ('error' in parsed) throw new GoError(`unable to parse userinfo in dict: ${parsed.error}`);
  return parsed.url.user;
}
