import { byteLength } from '../../../gostd/bytes.ts';
import { isSloppyCidr, isSloppyIp } from '../../../gostd/ip.ts';
import { type Addr, addrText, is4in6, masked, parseAddr, parsePrefix, sameAddr } from '../../../gostd/netip.ts';
import { isPrint, quote } from '../../../gostd/quote.ts';
import { dns1123Label, dns1123Subdomain } from '../../names.ts';
import type { KubernetesVersion } from '../../releases/release.ts';

// What is wrong with a text, in the API server's words: none if it is right. See `kubernetes/names.ts` for more.

/** A text that is wrong, and why; often it is a part of what was written. */
export type Wrong = readonly [text: string, why: string];

function formText(message: string, pattern: string, ...examples: string[]): string {
  if (examples.length === 0) return `${message} (regex used for validation is '${pattern}')`;
  const shown = examples.map((example) => `'${example}', `).join(' or ');
  return `${message} (e.g. ${shown}regex used for validation is '${pattern}')`;
}

const tooMany = (most: number) => `must be no more than ${most} characters`;

export function between(least: bigint | number, most: bigint | number): string {
  return `must be between ${least} and ${most}, inclusive`;
}

export function portNumber(port: bigint): string[] {
  return port >= 1n && port <= 65_535n ? [] : [between(1, 65_535)];
}

const highestId = 2_147_483_647n;

/** Of users and groups. */
export function idNumber(id: bigint): string[] {
  return id >= 0n && id <= highestId ? [] : [between(0, highestId)];
}

export function portName(name: string): string[] {
  const texts: string[] = [];
  if (byteLength(name) > 15) texts.push(tooMany(15));
  if (!/^[-a-z0-9]+$/.test(name)) {
    texts.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  }
  if (!/[a-z]/.test(name)) texts.push('must contain at least one letter (a-z)');
  if (name.includes('--')) texts.push('must not contain consecutive hyphens');
  if (name.startsWith('-') || name.endsWith('-')) texts.push('must not begin or end with a hyphen');
  return texts;
}

export function percent(text: string): string[] {
  if (/^[0-9]+%$/.test(text)) return [];
  const message = "a valid percent string must be a numeric string followed by an ending '%'";
  return [formText(message, '[0-9]+%', '1%', '93%')];
}

export function httpHeader(name: string): string[] {
  if (/^[-A-Za-z0-9]+$/.test(name)) return [];
  return [
    formText("a valid HTTP header must consist of alphanumeric characters or '-'", '[-A-Za-z0-9]+', 'X-Header-Name'),
  ];
}

function leadingDots(text: string): string[] {
  if (text === '.' || text === '..') return [`must not be '${text}'`];
  return text.startsWith('..') ? ["must not start with '..'"] : [];
}

export function configMapKey(key: string): string[] {
  const texts: string[] = [];
  if (byteLength(key) > 253) texts.push(tooMany(253));
  if (!/^[-._a-zA-Z0-9]+$/.test(key)) {
    const message = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'";
    texts.push(formText(message, '[-._a-zA-Z0-9]+', 'key.name', 'KEY_NAME', 'key-name'));
  }
  return [...texts, ...leadingDots(key)];
}

const envName = '[-._a-zA-Z][-._a-zA-Z0-9]*';

function strictEnvironmentName(name: string): string[] {
  const texts: string[] = [];
  if (!/^[-._a-zA-Z][-._a-zA-Z0-9]*$/.test(name)) {
    const message =
      "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit";
    texts.push(formText(message, envName, 'my.env-name', 'MY_ENV.NAME', 'MyEnvName1'));
  }
  return [...texts, ...leadingDots(name)];
}

export function relaxedEnvironmentName(name: string): string[] {
  if (name === '') return ['environment variable name must be non-empty'];
  const isOdd = (character: string) => character > '\u007f' || !isPrint(character) || character === '=';
  if (!Array.from(name).some(isOdd)) return [];
  return ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
}

export function environmentName(name: string, { builtin }: KubernetesVersion): string[] {
  return builtin.relaxedEnvironmentNames ? relaxedEnvironmentName(name) : strictEnvironmentName(name);
}

const underscored = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';

export function subdomainWithUnderscore(text: string, { builtin }: KubernetesVersion): string[] {
  const texts: string[] = [];
  if (byteLength(text) > 253) texts.push(tooMany(253));
  if (!/^_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*$/.test(text)) {
    const message =
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character";
    const part = builtin.relaxedSearches === 'shownStrict' ? label : underscored;
    texts.push(formText(message, `${part}(\\.${part})*`, 'example.com'));
  }
  return texts;
}

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';

export function wildcardSubdomain(text: string): string[] {
  const texts: string[] = [];
  if (byteLength(text) > 253) texts.push(tooMany(253));
  if (!/^\*\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(text)) {
    const message =
      "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character";
    texts.push(formText(message, `\\*\\.${label}(\\.${label})*`, '*.example.com'));
  }
  return texts;
}

/** A domain, a slash and a path; empty texts are for the caller. */
export function domainPrefixedPath(text: string): Wrong[] {
  const slash = text.indexOf('/');
  if (slash <= 0 || slash === text.length - 1) {
    return [[text, 'must be a domain-prefixed path (such as "acme.io/foo")']];
  }
  const [host, path] = [text.slice(0, slash), text.slice(slash + 1)];
  const wrong = dns1123Subdomain(host).map((why): Wrong => [host, why]);
  if (/^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/.test(path)) return wrong;
  return [...wrong, [path, formText('Invalid path', "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+")]];
}

/** A domain of at least two labels; empty texts are for the caller. */
export function qualifiedDomain(text: string): Wrong[] {
  const name = text.endsWith('.') ? text.slice(0, -1) : text;
  const texts = dns1123Subdomain(name);
  if (texts.length > 0) return [[name, texts.join(',')]];
  const labels = name.split('.');
  if (labels.length < 2) return [[name, 'should be a domain with at least two segments separated by dots']];
  const wrong = labels.find((one) => dns1123Label(one).length > 0);
  return wrong === undefined ? [] : [[wrong, dns1123Label(wrong).join(',')]];
}

/** An address, as fields want it that have always been there. */
export function address(text: string, { builtin }: KubernetesVersion): string[] {
  if (!isSloppyIp(text)) return ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'];
  if (!builtin.strictAddresses) return [];
  const parsed = parseAddr(text);
  if ('error' in parsed) return ['must not have leading 0s'];
  return is4in6(parsed) ? ['must not be an IPv4-mapped IPv6 address'] : [];
}

/** An address in its one form, as newer fields want it. */
export function canonicalAddress(text: string): string[] {
  if (!isSloppyIp(text)) return ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'];
  const parsed = parseAddr(text);
  if ('error' in parsed) return ['must not have leading 0s'];
  if (is4in6(parsed)) return ['must not be an IPv4-mapped IPv6 address'];
  const canonical = addrText(parsed);
  return canonical === text ? [] : [`must be in canonical form (${quote(canonical)})`];
}

export function addressRange(text: string, { builtin }: KubernetesVersion): string[] {
  if (!isSloppyCidr(text)) return ['must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'];
  if (!builtin.strictAddresses) return [];
  const parsed = parsePrefix(text);
  if ('error' in parsed) return ['must not have leading 0s in IP or prefix length'];
  if (is4in6(parsed.addr)) return ['must not have an IPv4-mapped IPv6 address'];
  if (sameAddr(masked(parsed.addr, parsed.bits), parsed.addr)) return [];
  return ['must not have bits set beyond the prefix length'];
}

/** An address, leading zeros or not; an IPv4 address may be written as IPv6. */
export function sloppyAddress(text: string): Addr | undefined {
  if (!isSloppyIp(text)) return undefined;
  const parsed = parseAddr(text.replace(/[0-9a-fA-F]+/g, (digits) => digits.replace(/^0+(?=.)/, '')));
  if ('error' in parsed) return undefined;
  return is4in6(parsed) ? { bytes: parsed.bytes.slice(12), zone: '' } : parsed;
}

/** A path below a folder. */
export function relativePath(path: string): string[] {
  return [...(path.startsWith('/') ? ['must be a relative path'] : []), ...withoutParents(path)];
}

/** A path that does not lead out of where it starts. */
export function withoutParents(path: string): string[] {
  return path.split('/').includes('..') ? ["must not contain '..'"] : [];
}

/** A path in a volume whose files the kubelet writes: names that begin with two dots are its own. */
export function ownPath(path: string): string[] {
  const reserved = path.startsWith('..') && !path.startsWith('../');
  return [...relativePath(path), ...(reserved ? ["must not start with '..'"] : [])];
}
