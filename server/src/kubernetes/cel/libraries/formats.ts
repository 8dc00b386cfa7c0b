import { nodeSize } from '../../../cel/estimate.ts';
import type { Impl } from '../../../cel/eval/implementation.ts';
import { actualSize } from '../../../cel/eval/size.ts';
import { list, none, noSuchOverload, type Opaque, optional, type Val } from '../../../cel/eval/values.ts';
import { traverse } from '../../../cel/libraries/walks.ts';
import { fn, type Library, type Price } from '../../../cel/overload.ts';
import { regexFactor, stringFactor } from '../../../cel/prices.ts';
import { scale } from '../../../cel/range.ts';
import { parseRequestUri } from '../../../gostd/url.ts';
import {
  dns1035Label,
  dns1123Label,
  dns1123Subdomain,
  labelValue,
  maskTrailingDash,
  qualifiedName,
} from '../../names.ts';
import type { KubernetesVersion } from '../../releases/release.ts';
import { formatCheck } from '../../schema/formatChecks.ts';
import { held, opaque } from './opaque.ts';
import { formatType, kubernetesTypes as types } from './types.ts';

/** A named format: how large its pattern is, for costs, and what is wrong with a text. */
export interface NamedFormat {
  readonly name: string;
  /** What a text of this format is. */
  readonly what: string;
  readonly patternSize: number;
  validate(text: string): readonly string[];
}

function schemaFormat(format: string, problem: string, version: KubernetesVersion) {
  const check = formatCheck(format, version);
  return (text: string) => (check?.(text) ? [] : [problem]);
}

function uriProblems(text: string, { strictUrlColons }: KubernetesVersion): string[] {
  const parsed = parseRequestUri(text, strictUrlColons);
  return 'error' in parsed ? [parsed.error] : [];
}

const dateTimePattern = 71;

function formatsOf(version: KubernetesVersion): readonly NamedFormat[] {
  const masked = (check: (text: string) => string[]) => (text: string) => check(maskTrailingDash(text));
  const label = (text: string) => dns1123Label(text);
  const subdomain = (text: string) => dns1123Subdomain(text);
  return [
    { name: 'dns1123Label', what: 'a DNS-1123 label', patternSize: 30, validate: label },
    { name: 'dns1123Subdomain', what: 'a DNS-1123 subdomain', patternSize: 60, validate: subdomain },
    { name: 'dns1035Label', what: 'a DNS-1035 label', patternSize: 30, validate: dns1035Label },
    {
      name: 'qualifiedName',
      what: 'a qualified name, as label keys are',
      patternSize: 60,
      validate: (text) => qualifiedName(text, version),
    },
    { name: 'dns1123LabelPrefix', what: 'the start of a DNS-1123 label', patternSize: 30, validate: masked(label) },
    {
      name: 'dns1123SubdomainPrefix',
      what: 'the start of a DNS-1123 subdomain',
      patternSize: 60,
      validate: masked(subdomain),
    },
    {
      name: 'dns1035LabelPrefix',
      what: 'the start of a DNS-1035 label',
      patternSize: 30,
      validate: masked(dns1035Label),
    },
    { name: 'labelValue', what: 'a label value', patternSize: 40, validate: (text) => labelValue(text, version) },
    { name: 'uri', what: 'a URI', patternSize: 1103, validate: (text) => uriProblems(text, version) },
    {
      name: 'uuid',
      what: 'a UUID',
      patternSize: 70,
      validate: schemaFormat('uuid', 'does not match the UUID format', version),
    },
    { name: 'byte', what: 'base64', patternSize: 84, validate: schemaFormat('byte', 'invalid base64', version) },
    {
      name: 'date',
      what: 'a date',
      patternSize: dateTimePattern,
      validate: schemaFormat('date', 'invalid date', version),
    },
    {
      name: 'datetime',
      what: 'a date and time',
      patternSize: dateTimePattern,
      validate: schemaFormat('datetime', 'invalid datetime', version),
    },
  ];
}

function formatValue(format: NamedFormat, goType: string): Opaque {
  const same = (other: unknown) => (other as NamedFormat).name === format.name;
  const key = goType.startsWith('*') ? 'itself' : undefined;
  return opaque({ type: formatType, goType, value: format, same, key });
}

function validate(a: Val, b: Val): Val {
  const format = held<NamedFormat>(a, formatType);
  if (!format || typeof b !== 'string') return noSuchOverload;
  const problems = format.validate(b);
  return problems.length === 0 ? none : optional(list(problems));
}

const longestNameRegex = 128;

/** As for a pattern of the format's size, walked over a text. */
const validating: Price = {
  estimate: ({ args, model }) => ({
    cost: scale(traverse(nodeSize(args[0]!, model)), longestNameRegex * regexFactor),
  }),
  cost: (a, b) => {
    const format = held<NamedFormat>(a, formatType);
    if (!format) return 1;
    return Math.ceil((1 + actualSize(b)) * stringFactor) * Math.ceil(format.patternSize * regexFactor);
  },
};

/** Formats that Kubernetes knows by name. */
export function namedFormats(release: KubernetesVersion): Library {
  const goType = release.cel.formatPointers ? '*cel.Format' : 'cel.Format';
  const formats = formatsOf(release).map((format) => ({ ...format, value: formatValue(format, goType) }));
  const byName = new Map(formats.map(({ name, value }) => [name, value]));
  const named: Impl = (a) => {
    const value = typeof a === 'string' ? byName.get(a) : undefined;
    return value ? optional(value) : none;
  };
  return [
    fn(
      'validate',
      'The reasons why a string does not have this format, as a list; none if it does.',
      [
        {
          id: 'format-validate',
          signature: 'kubernetes.NamedFormat.validate(string): optional(list(string))',
          example: '!format.uuid().validate("123e4567-e89b-12d3-a456-426614174000").hasValue()',
          impl: validate,
        },
      ],
      { types, price: validating },
    ),
    fn(
      'format.named',
      'The format with this name, or none.',
      [
        {
          id: 'format-named',
          signature: 'format.named(string): optional(kubernetes.NamedFormat)',
          example: 'format.named("uuid").hasValue()',
          impl: named,
        },
      ],
      { types },
    ),
    ...formats.map(({ name, what, value }) =>
      fn(
        `format.${name}`,
        `The format of ${what}.`,
        [
          {
            id: `format.${name}`,
            signature: `format.${name}(): kubernetes.NamedFormat`,
            example: `format.named("${name}").value() == format.${name}()`,
            impl: () => value,
          },
        ],
        { types },
      ),
    ),
  ];
}
