import type { Impl } from '../../../cel/eval/implementation.ts';
import { list, none, noSuchOverload, type Opaque, optional, type Val } from '../../../cel/eval/values.ts';
import { parseRequestUri } from '../../../go/url.ts';
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
import { formatType } from '../libraries/types.ts';
import { held, opaque } from './opaque.ts';

/** A named format: how large its pattern is, for costs, and what is wrong with a text. */
export interface NamedFormat {
  readonly name: string;
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
    { name: 'dns1123Label', patternSize: 30, validate: label },
    { name: 'dns1123Subdomain', patternSize: 60, validate: subdomain },
    { name: 'dns1035Label', patternSize: 30, validate: dns1035Label },
    { name: 'qualifiedName', patternSize: 60, validate: (text) => qualifiedName(text, version) },
    { name: 'dns1123LabelPrefix', patternSize: 30, validate: masked(label) },
    { name: 'dns1123SubdomainPrefix', patternSize: 60, validate: masked(subdomain) },
    { name: 'dns1035LabelPrefix', patternSize: 30, validate: masked(dns1035Label) },
    { name: 'labelValue', patternSize: 40, validate: (text) => labelValue(text, version) },
    { name: 'uri', patternSize: 1103, validate: (text) => uriProblems(text, version) },
    { name: 'uuid', patternSize: 70, validate: schemaFormat('uuid', 'does not match the UUID format', version) },
    { name: 'byte', patternSize: 84, validate: schemaFormat('byte', 'invalid base64', version) },
    { name: 'date', patternSize: dateTimePattern, validate: schemaFormat('date', 'invalid date', version) },
    {
      name: 'datetime',
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

export function formatImpls(version: KubernetesVersion): readonly (readonly [string, Impl])[] {
  const goType = version.minor < 32 ? '*cel.Format' : 'cel.Format';
  const values = new Map(formatsOf(version).map((format) => [format.name, formatValue(format, goType)]));
  const named: Impl = (a) => {
    const value = typeof a === 'string' ? values.get(a) : undefined;
    return value ? optional(value) : none;
  };
  const constants = [...values].map(([name, value]): [string, Impl] => [`format.${name}`, () => value]);
  return [...constants, ['format-named', named], ['format-validate', validate]];
}
