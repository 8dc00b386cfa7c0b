import { byteLength } from '../gostd/bytes.ts';
import { quote } from '../gostd/quote.ts';
import type { KubernetesVersion } from './releases/release.ts';

// Each check gives the API server's texts for what is wrong with a name; none if it is right.

const label1123 = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const label1123Pattern = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const subdomain = `${label1123}(\\.${label1123})*`;
const subdomainPattern = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const label1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const label1035Pattern = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const labelKey = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const labelKeyPattern = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;

function regexText(message: string, pattern: string, ...examples: string[]): string {
  const shown = examples.map((example) => `'${example}', `).join(' or ');
  return `${message} (e.g. ${shown}regex used for validation is '${pattern}')`;
}

/** Names and groups are counted in bytes but say "characters", where labels have learnt to say "bytes". */
function atMost(count: number, unit: 'characters' | 'bytes'): string {
  return `must be no more than ${count} ${unit}`;
}

function labelUnit(version: KubernetesVersion): 'characters' | 'bytes' {
  return version.labelKeyTexts ? 'bytes' : 'characters';
}

export function dns1123Subdomain(text: string, unit: 'characters' | 'bytes' = 'characters'): string[] {
  const texts: string[] = [];
  if (byteLength(text) > 253) texts.push(atMost(253, unit));
  if (!subdomainPattern.test(text)) {
    const message =
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
    texts.push(regexText(message, subdomain, 'example.com'));
  }
  return texts;
}

export function dns1123Label(text: string, unit: 'characters' | 'bytes' = 'characters'): string[] {
  const texts: string[] = [];
  if (byteLength(text) > 63) texts.push(atMost(63, unit));
  if (label1123Pattern.test(text)) return texts;
  if (subdomainPattern.test(text)) return [...texts, 'must not contain dots'];
  const message =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
  return [...texts, regexText(message, label1123, 'my-name', '123-abc')];
}

export function dns1035Label(text: string): string[] {
  const texts: string[] = [];
  if (byteLength(text) > 63) texts.push(atMost(63, 'characters'));
  if (!label1035Pattern.test(text)) {
    const message =
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
    texts.push(regexText(message, label1035, 'my-name', 'abc-123'));
  }
  return texts;
}

const labelKeyMessage =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const labelKeyText = (): string => regexText(labelKeyMessage, labelKey, 'MyName', 'my.name', '123-abc');

function labelPrefix(prefix: string, version: KubernetesVersion): string[] {
  if (prefix === '') return ['prefix part must be non-empty'];
  return dns1123Subdomain(prefix, labelUnit(version)).map((text) => `prefix part ${text}`);
}

function labelName(name: string, version: KubernetesVersion): string[] {
  const texts: string[] = [];
  if (name === '') texts.push('name part must be non-empty');
  else if (byteLength(name) > 63) texts.push(`name part ${atMost(63, labelUnit(version))}`);
  if (!labelKeyPattern.test(name)) texts.push(`name part ${labelKeyText()}`);
  return texts;
}

/** A qualified name: an optional DNS subdomain and `/`, then a name. Keys of labels and annotations, finalizers. */
export function qualifiedName(text: string, version: KubernetesVersion): string[] {
  const parts = text.split('/');
  if (parts.length > 2) {
    const what = version.labelKeyTexts ? 'a valid label key' : 'a qualified name';
    return [`${what} ${labelKeyText()} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const [name, prefix] = parts.reverse() as [string, string | undefined];
  return [...(prefix === undefined ? [] : labelPrefix(prefix, version)), ...labelName(name, version)];
}

export function labelValue(text: string, version: KubernetesVersion): string[] {
  const texts: string[] = [];
  if (byteLength(text) > 63) texts.push(atMost(63, labelUnit(version)));
  if (text !== '' && !labelKeyPattern.test(text)) {
    const message = `a valid label must be an empty string or consist of ${labelKeyMessage.slice('must consist of '.length)}`;
    texts.push(regexText(message, `(${labelKey})?`, 'MyValue', 'my_value', '12345'));
  }
  return texts;
}

/** A name that is to become part of a URL's path; a prefix may still become anything but that. */
export function pathSegment(name: string, prefix: boolean): string[] {
  if (!prefix && (name === '.' || name === '..')) return [`may not be '${name}'`];
  return ['/', '%'].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`);
}

/** A generateName is judged with its last dash replaced, and with it, by an oversight upstream, the letter before. */
export function maskTrailingDash(name: string): string {
  if (name.length < 2 || !name.endsWith('-')) return name;
  // Go drops a byte, and leaves a broken character behind if that was not all of it.
  const broken = name.codePointAt(name.length - 2)! > 0x7f ? '\ufffd' : '';
  return `${name.slice(0, -2)}${broken}a`;
}

/** What most kinds demand of a name, or of the prefix that one is made from. */
export function subdomainName(name: string, prefix: boolean): readonly string[] {
  return dns1123Subdomain(prefix ? maskTrailingDash(name) : name);
}

export type GroupVersion = { readonly group: string; readonly version: string } | { readonly error: string };

/** `apiVersion` split as Go's ParseGroupVersion does. */
export function parseGroupVersion(text: string): GroupVersion {
  if (text === '' || text === '/') return { group: '', version: '' };
  const parts = text.split('/');
  if (parts.length === 1) return { group: '', version: text };
  if (parts.length === 2) return { group: parts[0]!, version: parts[1]! };
  return { error: `unexpected GroupVersion string: ${text}` };
}

export function quotedList(names: readonly string[]): string {
  return `[]string{${names.map(quote).join(', ')}}`;
}

const isAscii = /^[\0-\x7f]*$/;

/** Go's strings.ToLower works letter by letter: no letter becomes two. */
export function lowerCase(text: string): string {
  if (isAscii.test(text)) return text.toLowerCase();
  return Array.from(text, (letter) => {
    const small = letter.toLowerCase();
    return [...small].length === 1 ? small : letter === 'İ' ? 'i' : letter;
  }).join('');
}
