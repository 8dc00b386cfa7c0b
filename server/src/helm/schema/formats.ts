/** Texts of a `format`, as the library judges them that Helm compares values with. It asks nothing of formats that it does not know. */
import { firstFound } from '../../base/firstFound.ts';
import { byteLength } from '../../gostd/bytes.ts';
import { parseAddr } from '../../gostd/netip.ts';
import { parseGoInt } from '../../gostd/parseInt.ts';
import { quote, quoteRune } from '../../gostd/quote.ts';
import { compileGoRegexp } from '../../gostd/regexp.ts';
import { parseDate } from '../../gostd/time.ts';
import { hostAndPort, parseUrl, type Url } from '../../gostd/url.ts';

/** Why a text is not of a format, in the library's words; nothing where it is. */
type Why = string | undefined;

const formats: ReadonlyMap<string, (text: string) => Why> = new Map([
  ['json-pointer', jsonPointer],
  ['relative-json-pointer', relativePointer],
  ['uuid', uuid],
  ['duration', duration],
  ['period', period],
  ['ipv4', ipv4],
  ['ipv6', ipv6],
  ['hostname', hostname],
  ['email', email],
  ['date', date],
  ['time', time],
  ['date-time', dateTime],
  ['uri', uri],
  ['iri', uri],
  ['uri-reference', uriReference],
  ['iri-reference', uriReference],
  ['uri-template', uriTemplate],
  ['semver', semver],
  ['regex', regex],
]);

export function whyNotOfFormat(format: string, text: string): string | undefined {
  return formats.get(format)?.(text);
}

function within(what: string, why: Why): Why {
  return why === undefined ? undefined : `${what}: ${why}`;
}

/** Go's strconv.Atoi. */
function integer(text: string): number | { readonly error: string } {
  const read = parseGoInt(text, 10);
  return 'error' in read ? { error: `strconv.Atoi: parsing ${quote(text)}: ${read.error}` } : Number(read.value);
}

function jsonPointer(text: string): Why {
  if (text === '') return undefined;
  if (!text.startsWith('/')) return 'not starting with /';
  return /~(?![01])/.test(text) ? '~ must be followed by 0 or 1' : undefined;
}

function relativePointer(text: string): Why {
  const digits = /^[0-9]*/.exec(text)![0];
  if (digits === '') return 'must start with non-negative integer';
  if (digits.length > 1 && digits.startsWith('0')) return 'starts with zero';
  const rest = text.slice(digits.length);
  return rest === '#' ? undefined : jsonPointer(rest);
}

const hexGroups = [8, 4, 4, 4, 12];

function uuid(text: string): Why {
  const groups = text.split('-');
  if (groups.length !== hexGroups.length) return `must have ${hexGroups.length} elements`;
  return firstFound(groups.entries(), ([i, group]) => {
    if (byteLength(group) !== hexGroups[i]) return `element ${i + 1} must be ${hexGroups[i]} characters long`;
    const other = odd(group, /[0-9a-fA-F]/);
    return other === undefined ? undefined : `non-hex character ${quoteRune(other)}`;
  });
}

/** The first character that is none of these. */
function odd(text: string, allowed: RegExp): string | undefined {
  return [...text].find((one) => !allowed.test(one));
}

const unitsOfDuration = ['YMD', 'HMS'];

function duration(text: string): Why {
  if (!text.startsWith('P')) return 'must start with P';
  const rest = text.slice(1);
  if (rest === '') return 'nothing after P';
  if (rest === 'W') return 'no number in week';
  if (rest.endsWith('W')) return /^[0-9]+W$/.test(rest) ? undefined : 'invalid week';
  return firstFound(rest.split('T').entries(), ([i, part]) => {
    if (i !== 0 && part === '') return 'no time elements';
    const units = unitsOfDuration[i];
    return units === undefined ? 'more than one T' : elements(part, units);
  });
}

/** `3Y6M`: each unit once at most, and in this order. */
function elements(text: string, all: string): Why {
  let units = all;
  for (let rest = text; rest !== ''; ) {
    const digits = /^[0-9]*/.exec(rest)![0];
    if (digits === '') return 'missing number';
    const unit = rest[digits.length];
    if (unit === undefined) return 'missing unit';
    const at = units.indexOf(unit);
    if (at === -1)
      return all.includes(unit) ? `unit ${quoteRune(unit)} out of order` : `invalid unit ${firstByte(unit)}`;
    units = units.slice(at + 1);
    rest = rest.slice(digits.length + 1);
  }
  return undefined;
}

/** As Go quotes one byte of a text. */
function firstByte(text: string): string {
  return quoteRune(String.fromCharCode(new TextEncoder().encode(text)[0]!));
}

function ipv4(text: string): Why {
  const groups = text.split('.');
  if (groups.length !== 4) return 'expected four decimals';
  return firstFound(groups, (group) => {
    if (group.length > 1 && group.startsWith('0')) return 'leading zeros';
    const number = integer(group);
    if (typeof number !== 'number') return number.error;
    return number < 0 || number > 255 ? 'decimal must be between 0 and 255' : undefined;
  });
}

function ipv6(text: string): Why {
  if (!text.includes(':')) return 'missing colon';
  const address = parseAddr(text);
  if ('error' in address) return address.error;
  return address.zone === '' ? undefined : 'zone id is not a part of ipv6 address';
}

function hostname(text: string): Why {
  const name = text.endsWith('.') ? text.slice(0, -1) : text;
  if (byteLength(name) > 253) return 'more than 253 characters long';
  return firstFound(name.split('.'), (label) => {
    if (label === '' || byteLength(label) > 63) return 'label must be 1 to 63 characters long';
    if (label.startsWith('-')) return 'label starts with hyphen';
    if (label.endsWith('-')) return 'label ends with hyphen';
    const other = odd(label, /[a-zA-Z0-9-]/);
    return other === undefined ? undefined : `invalid character ${quoteRune(other)}`;
  });
}

function email(text: string): Why {
  if (byteLength(text) > 254) return 'more than 255 characters long';
  const at = text.lastIndexOf('@');
  if (at === -1) return 'missing @';
  const domain = text.slice(at + 1);
  return localPart(text.slice(0, at)) ?? (domain.startsWith('[') && domain.endsWith(']') ? address() : named());

  function named(): Why {
    return within('invalid domain', hostname(domain));
  }

  function address(): Why {
    const inside = domain.slice(1, -1);
    const [, six] = /^IPv6:([\s\S]*)$/.exec(inside) ?? [];
    return six === undefined ? within('invalid ipv4 address', ipv4(inside)) : within('invalid ipv6 address', ipv6(six));
  }
}

function localPart(local: string): Why {
  if (byteLength(local) > 64) return 'local part more than 64 characters long';
  if (local.length > 1 && local.startsWith('"') && local.endsWith('"')) {
    const isOdd = /[\\"]/.test(local.slice(1, -1));
    return isOdd ? 'backslash and quote are not allowed within quoted local part' : undefined;
  }
  if (local.startsWith('.')) return 'starts with dot';
  if (local.endsWith('.')) return 'ends with dot';
  if (local.includes('..')) return 'consecutive dots';
  const other = odd(local, /[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]/);
  return other === undefined ? undefined : `invalid character ${quoteRune(other)}`;
}

function date(text: string): Why {
  const read = parseDate(text);
  return 'error' in read ? read.error : undefined;
}

function time(text: string): Why {
  if (byteLength(text) < 9) return 'less than 9 characters long';
  if (text[2] !== ':' || text[5] !== ':') return 'missing colon in correct place';
  const parts = [text.slice(0, 2), text.slice(3, 5), text.slice(6, 8)].map(integer);
  if (!parts.every((one) => typeof one === 'number')) return 'invalid hour/min/sec';
  if (parts.some((one) => one < 0)) return 'non-positive hour/min/sec';
  const [h, m, s] = parts as [number, number, number];
  if (h > 23 || m > 59 || s > 60) return 'hour/min/sec out of range';
  const fraction = /^\.[0-9]*/.exec(text.slice(8))?.[0] ?? '';
  if (fraction === '.') return 'no digits in second fraction';
  const zone = text.slice(8 + fraction.length);
  const shift = /^z$/i.test(zone) ? 0 : offset(zone);
  if (typeof shift !== 'number') return shift.error;
  const minutes = h * 60 + m + shift;
  return s >= 60 && (minutes + 24 * 60) % (24 * 60) !== 24 * 60 - 1 ? 'invalid leap second' : undefined;
}

/** Minutes that `+02:00` is ahead, taken away. */
function offset(text: string): number | { readonly error: string } {
  if (byteLength(text) !== 6) return { error: 'offset must be 6 characters long' };
  if (!/^[+-]/.test(text)) return { error: 'offset must begin with plus/minus' };
  if (text[3] !== ':') return { error: 'missing colon in offset in correct place' };
  const parts = [text.slice(1, 3), text.slice(4)].map(integer);
  if (!parts.every((one) => typeof one === 'number')) return { error: 'invalid hour/min in offset' };
  if (parts.some((one) => one < 0)) return { error: 'non-positive hour/min in offset' };
  const [h, m] = parts as [number, number];
  if (h > 23 || m > 59) return { error: 'hour/min in offset out of range' };
  return (text.startsWith('+') ? -1 : 1) * (h * 60 + m);
}

function dateTime(text: string): Why {
  if (byteLength(text) < 20) return 'less than 20 characters long';
  if (!/^[tT]$/.test(text[10] ?? '')) return '11th character must be t or T';
  return (
    within('invalid date element', date(text.slice(0, 10))) ?? within('invalid time element', time(text.slice(11)))
  );
}

function period(text: string): Why {
  const at = text.indexOf('/');
  if (at === -1) return 'missing slash';
  const [start, end] = [text.slice(0, at), text.slice(at + 1)];
  if (start.startsWith('P'))
    return within('invalid start duration', duration(start)) ?? within('invalid end date-time', dateTime(end));
  const first = within('invalid start date-time', dateTime(start));
  if (first !== undefined) return first;
  return end.startsWith('P')
    ? within('invalid end duration', duration(end))
    : within('invalid end date-time', dateTime(end));
}

function url(text: string): Url | { readonly error: string } {
  const read = parseUrl(text);
  if ('error' in read) return read;
  const { host } = read.url;
  const name = hostAndPort(host).host;
  if (!name.includes(':')) return read.url;
  if (!host.includes('[') || !host.includes(']')) return { error: 'ipv6 address not enclosed in brackets' };
  const why = within('invalid ipv6 address', ipv6(name));
  return why === undefined ? read.url : { error: why };
}

function uri(text: string): Why {
  const read = url(text);
  if ('error' in read) return read.error;
  return read.scheme === '' ? 'relative url' : undefined;
}

function uriReference(text: string): Why {
  if (text.includes('\\')) return 'contains \\';
  const read = url(text);
  return 'error' in read ? read.error : undefined;
}

function uriTemplate(text: string): Why {
  const read = url(text);
  if ('error' in read) return read.error;
  return firstFound(read.rawPath.split('/'), (step) => {
    const braces = step.replace(/%7b/gi, '{').replace(/%7d/gi, '}').replace(/[^{}]/g, '');
    if (/^(?:\{\})*$/.test(braces)) return undefined;
    return /^(?:\{\})*\{$/.test(braces) ? 'no matching closing brace' : 'nested curly braces';
  });
}

function semver(text: string): Why {
  const [before, build] = cut(text, '+');
  const [core, release] = cut(before, '-');
  return buildOf(build) ?? releaseOf(release) ?? coreOf(core);
}

function cut(text: string, by: string): [string, string | undefined] {
  const at = text.indexOf(by);
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function buildOf(build: string | undefined): Why {
  if (build === '') return 'build is empty';
  return firstFound(build?.split('.') ?? [], (id) => {
    if (id === '') return 'build identifier is empty';
    const other = odd(id, /[0-9a-zA-Z-]/);
    return other === undefined ? undefined : `invalid character ${quoteRune(other)} in build identifier`;
  });
}

function releaseOf(release: string | undefined): Why {
  return firstFound(release?.split('.') ?? [], (id) => {
    if (id === '') return 'pre-release identifier is empty';
    const other = odd(id, /[0-9a-zA-Z-]/);
    if (other !== undefined) return `invalid character ${quoteRune(other)} in pre-release identifier`;
    return /^0[0-9]+$/.test(id) ? 'pre-release numeric identifier starts with zero' : undefined;
  });
}

const numbersOfVersion = ['major', 'minor', 'patch'];

function coreOf(core: string): Why {
  const versions = core.split('.');
  if (versions.length !== 3) return 'versionCore must have 3 numbers separated by dot';
  return firstFound(versions.entries(), ([i, version]) => {
    const name = numbersOfVersion[i];
    if (version === '') return `${name} is empty`;
    if (version.length > 1 && version.startsWith('0')) return `${name} starts with zero`;
    return /^[0-9]+$/.test(version) ? undefined : `${name} contains non-digit`;
  });
}

function regex(text: string): Why {
  const read = compileGoRegexp(text);
  return read.ok ? undefined : read.error;
}
