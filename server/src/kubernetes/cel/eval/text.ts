import type { Impl, PatternImpl } from '../../../cel/eval/implementation.ts';
import {
  error,
  list,
  mapOfPairs,
  noSuchOverload,
  type Opaque,
  orNoSuchOverload,
  type Val,
} from '../../../cel/eval/values.ts';
import { compileGoRegexp } from '../../../go/regexp.ts';
import {
  escapedPath,
  hostAndPort,
  parseRequestUri,
  parseUrl,
  queryOf,
  type Url,
  urlKey,
  urlText,
} from '../../../go/url.ts';
import type { KubernetesVersion } from '../../releases/release.ts';
import { urlType } from '../libraries/types.ts';
import { held, opaque } from './opaque.ts';

type Regexp = Extract<ReturnType<typeof compileGoRegexp>, { ok: true }>['regexp'];

function findFirst(regexp: Regexp, text: string): string {
  const matcher = regexp.matcher(text);
  return matcher.find() ? (matcher.group() ?? '') : '';
}

/** Go's FindAllString: an empty match right behind the one before does not count. */
function findAll(regexp: Regexp, text: string, count: bigint): string[] {
  const found: string[] = [];
  const matcher = regexp.matcher(text);
  let end = -1;
  while (BigInt(found.length) !== count && matcher.find()) {
    const match = matcher.group() ?? '';
    if (match !== '' || matcher.start() !== end) found.push(match);
    end = matcher.end();
  }
  return found;
}

function withPattern(a: Val, b: Val, apply: (regexp: Regexp, text: string) => Val): Val {
  if (typeof a !== 'string') return orNoSuchOverload(a);
  if (typeof b !== 'string') return orNoSuchOverload(b);
  const compiled = compileGoRegexp(b);
  return compiled.ok ? apply(compiled.regexp, a) : error(`Illegal regex: ${compiled.error}`);
}

export const regexImpls: readonly (readonly [string, Impl])[] = [
  ['string_find_string', (a, b) => withPattern(a, b, findFirst)],
  ['string_find_all_string', (a, b) => withPattern(a, b, (regexp, text) => list(findAll(regexp, text, -1n)))],
  [
    'string_find_all_string_int',
    (a, b, c) => withPattern(a, b, (regexp, text) => list(findAll(regexp, text, c as bigint))),
  ],
];

function patterned(apply: (regexp: Regexp, text: string, count: Val) => Val): PatternImpl {
  return (pattern) => {
    const compiled = compileGoRegexp(pattern);
    if (!compiled.ok) return compiled.error;
    const { regexp } = compiled;
    return (a, _b, c) => (typeof a === 'string' ? apply(regexp, a, c) : noSuchOverload);
  };
}

/** The count can be left out, but must be an int. */
function findCounted(regexp: Regexp, text: string, count: Val): Val {
  if (count !== null && typeof count !== 'bigint') return noSuchOverload;
  return list(findAll(regexp, text, count ?? -1n));
}

export const regexPatterns: readonly (readonly [string, PatternImpl])[] = [
  ['find', patterned(findFirst)],
  ['findAll', patterned(findCounted)],
];

// URLs

function urlValue(url: Url): Opaque {
  const text = urlKey(url);
  const same = (other: unknown) => urlKey(other as Url) === text;
  return opaque({ type: urlType, goType: 'cel.URL', value: url, same, native: () => `(*url.URL)${urlText(url)}` });
}

function toUrl(text: string, strictColons: boolean): Val {
  const checked = parseRequestUri(text, strictColons);
  const parsed = 'error' in checked ? checked : parseUrl(text, strictColons);
  return 'error' in parsed
    ? error(`URL parse error during conversion from string: ${parsed.error}`)
    : urlValue(parsed.url);
}

const ofUrl =
  (apply: (url: Url) => Val): Impl =>
  (a) => {
    const url = held<Url>(a, urlType);
    return url ? apply(url) : noSuchOverload;
  };

export function urlImpls({ strictUrlColons }: KubernetesVersion): readonly (readonly [string, Impl])[] {
  return [
    ['string_to_url', (a) => toUrl(a as string, strictUrlColons)],
    ['is_url_string', (a) => !('error' in parseRequestUri(a as string, strictUrlColons))],
    ['url_get_scheme', ofUrl((url) => url.scheme)],
    ['url_get_host', ofUrl((url) => url.host)],
    ['url_get_hostname', ofUrl((url) => hostAndPort(url.host).host)],
    ['url_get_port', ofUrl((url) => hostAndPort(url.host).port)],
    ['url_get_escaped_path', ofUrl(escapedPath)],
    [
      'url_get_query',
      ofUrl((url) => mapOfPairs([...queryOf(url.rawQuery)].map(([name, values]) => [name, list(values)]))),
    ],
  ];
}
