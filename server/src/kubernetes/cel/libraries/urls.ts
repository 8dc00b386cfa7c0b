import { type Estimator, nodeSize } from '../../../cel/estimate.ts';
import type { Impl } from '../../../cel/eval/implementation.ts';
import { error, list, mapOfPairs, noSuchOverload, type Opaque, type Val } from '../../../cel/eval/values.ts';
import { traverse, walks } from '../../../cel/libraries/walks.ts';
import { fn, type Library, type Price } from '../../../cel/overload.ts';
import {
  escapedPath,
  hostAndPort,
  parseRequestUri,
  parseUrl,
  queryOf,
  type Url,
  urlKey,
  urlText,
} from '../../../gostd/url.ts';
import { held, opaque } from './opaque.ts';
import { kubernetesTypes as types, urlType } from './types.ts';

export interface UrlOptions {
  /** A host in a URL holds at most one colon. */
  readonly strictUrlColons: boolean;
}

/** One walk, and a result as large as the text. */
const parseEstimate: Estimator = ({ args, model }) => {
  const size = nodeSize(args[0]!, model);
  return { cost: traverse(size), size };
};

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

const urlFunctions = ({ strictUrlColons }: UrlOptions, parsing: Price): Library => [
  fn(
    'url',
    'A URL from a string: an absolute URL or an absolute path.',
    [
      {
        id: 'string_to_url',
        signature: 'url(string): kubernetes.URL',
        example: 'url("https://a.example/b").getHost() == "a.example"',
        impl: (a) => toUrl(a as string, strictUrlColons),
      },
    ],
    { types, price: parsing },
  ),
  ...(
    [
      [
        'getScheme',
        'url_get_scheme',
        'The scheme, such as "https", or "" if there is none.',
        'url("https://a:80/b").getScheme() == "https"',
        (url) => url.scheme,
      ],
      [
        'getHost',
        'url_get_host',
        'The host and port, as written.',
        'url("https://a:80/b").getHost() == "a:80"',
        (url) => url.host,
      ],
      [
        'getHostname',
        'url_get_hostname',
        'The host without its port.',
        'url("https://a:80/b").getHostname() == "a"',
        (url) => hostAndPort(url.host).host,
      ],
      [
        'getPort',
        'url_get_port',
        'The port, or "" if there is none.',
        'url("https://a:80/b").getPort() == "80"',
        (url) => hostAndPort(url.host).port,
      ],
      [
        'getEscapedPath',
        'url_get_escaped_path',
        'The path, with special characters escaped.',
        'url("https://a/b c").getEscapedPath() == "/b%20c"',
        escapedPath,
      ],
    ] satisfies [string, string, string, string, (url: Url) => string][]
  ).map(([name, id, doc, example, part]) =>
    fn(name, doc, [{ id, signature: `kubernetes.URL.${name}(): string`, example, impl: ofUrl(part) }], { types }),
  ),
  fn(
    'getQuery',
    'The query as a map from names to lists of values.',
    [
      {
        id: 'url_get_query',
        signature: 'kubernetes.URL.getQuery(): map(string, list(string))',
        example: 'url("https://a/?k=v").getQuery() == {"k": ["v"]}',
        impl: ofUrl((url) => mapOfPairs([...queryOf(url.rawQuery)].map(([name, values]) => [name, list(values)]))),
      },
    ],
    { types },
  ),
  fn('isURL', 'Whether a string is an absolute URL or an absolute path.', [
    {
      id: 'is_url_string',
      signature: 'isURL(string): bool',
      example: 'isURL("https://a.example")',
      impl: (a) => !('error' in parseRequestUri(a as string, strictUrlColons)),
    },
  ]),
];

export const urls = (options: UrlOptions): Library => urlFunctions(options, walks(1, parseEstimate));

/** Before 1.32 the size of a URL was not known. */
export const unsizedUrls = (options: UrlOptions): Library => urlFunctions(options, walks(1));
