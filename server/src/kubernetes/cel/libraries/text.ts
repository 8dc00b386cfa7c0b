import type { Estimator } from '../../../cel/cost.ts';
import { fn, type Library } from '../../../cel/overload.ts';
import { find, parseUrl, validateFormat, walkArgument } from './cost.ts';
import { kubernetesTypes as types } from './types.ts';

/** `parse` is what url() costs: early releases did not know the size of its result. */
const urlFunctions = (parse: Estimator): Library => [
  fn(
    'url',
    'A URL from a string: an absolute URL or an absolute path.',
    [
      {
        id: 'string_to_url',
        signature: 'url(string): kubernetes.URL',
        example: 'url("https://a.example/b").getHost() == "a.example"',
        estimate: parse,
      },
    ],
    { types },
  ),
  ...(
    [
      [
        'getScheme',
        'url_get_scheme',
        'The scheme, such as "https"; "" where there is none.',
        'url("https://a:80/b").getScheme() == "https"',
      ],
      ['getHost', 'url_get_host', 'Host and port as they were written.', 'url("https://a:80/b").getHost() == "a:80"'],
      ['getHostname', 'url_get_hostname', 'The host without its port.', 'url("https://a:80/b").getHostname() == "a"'],
      ['getPort', 'url_get_port', 'The port, "" where there is none.', 'url("https://a:80/b").getPort() == "80"'],
      [
        'getEscapedPath',
        'url_get_escaped_path',
        'The path, with special characters escaped.',
        'url("https://a/b c").getEscapedPath() == "/b%20c"',
      ],
    ] as const
  ).map(([name, id, doc, example]) =>
    fn(name, doc, [{ id, signature: `kubernetes.URL.${name}(): string`, example }], { types }),
  ),
  fn(
    'getQuery',
    'The query as a map from names to lists of values.',
    [
      {
        id: 'url_get_query',
        signature: 'kubernetes.URL.getQuery(): map(string, list(string))',
        example: 'url("https://a/?k=v").getQuery() == {"k": ["v"]}',
      },
    ],
    { types },
  ),
  fn('isURL', 'Whether a string is an absolute URL or an absolute path.', [
    { id: 'is_url_string', signature: 'isURL(string): bool', example: 'isURL("https://a.example")' },
  ]),
];

export const urls = urlFunctions(parseUrl);
export const unsizedUrls = urlFunctions(walkArgument(1));

export const regex: Library = [
  fn(
    'find',
    'The first part of a string that an RE2 pattern matches, or "".',
    [
      {
        id: 'string_find_string',
        signature: 'string.find(string): string',
        example: '"abc 123".find("[0-9]+") == "123"',
      },
    ],
    { estimate: find },
  ),
  fn(
    'findAll',
    'All parts of a string that an RE2 pattern matches; a second argument limits how many.',
    [
      {
        id: 'string_find_all_string',
        signature: 'string.findAll(string): list(string)',
        example: '"1 22".findAll("[0-9]+") == ["1", "22"]',
      },
      {
        id: 'string_find_all_string_int',
        signature: 'string.findAll(string, int): list(string)',
        example: '"1 22".findAll("[0-9]+", 1) == ["1"]',
      },
    ],
    { estimate: find },
  ),
];

const formats = [
  ['dns1123Label', 'a DNS-1123 label'],
  ['dns1123Subdomain', 'a DNS-1123 subdomain'],
  ['dns1035Label', 'a DNS-1035 label'],
  ['qualifiedName', 'a qualified name, as label keys are'],
  ['dns1123LabelPrefix', 'the start of a DNS-1123 label'],
  ['dns1123SubdomainPrefix', 'the start of a DNS-1123 subdomain'],
  ['dns1035LabelPrefix', 'the start of a DNS-1035 label'],
  ['labelValue', 'a label value'],
  ['uri', 'a URI'],
  ['uuid', 'a UUID'],
  ['byte', 'base64'],
  ['date', 'a date'],
  ['datetime', 'a date and time'],
] as const;

export const namedFormats: Library = [
  fn(
    'validate',
    'Why a string has not this format, as a list; none where it has.',
    [
      {
        id: 'format-validate',
        signature: 'kubernetes.NamedFormat.validate(string): optional(list(string))',
        example: '!format.uuid().validate("123e4567-e89b-12d3-a456-426614174000").hasValue()',
      },
    ],
    { types, estimate: validateFormat },
  ),
  fn(
    'format.named',
    'The format of this name, or none.',
    [
      {
        id: 'format-named',
        signature: 'format.named(string): optional(kubernetes.NamedFormat)',
        example: 'format.named("uuid").hasValue()',
      },
    ],
    { types },
  ),
  ...formats.map(([name, what]) =>
    fn(
      `format.${name}`,
      `The format of ${what}.`,
      [
        {
          id: `format.${name}`,
          signature: `format.${name}(): kubernetes.NamedFormat`,
          example: `format.named("${name}").value() == format.${name}()`,
        },
      ],
      { types },
    ),
  ),
];
