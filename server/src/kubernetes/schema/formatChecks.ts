import { byteLength } from '../../gostd/bytes.ts';
import { int64Of } from '../../gostd/digits.ts';
import { parseGoDuration } from '../../gostd/duration.ts';
import { isIp, isMac, isSloppyCidr, isSloppyIp } from '../../gostd/ip.ts';
import { isMailAddress } from '../../gostd/mail.ts';
import { compileGoRegexp } from '../../gostd/regexp.ts';
import { parseRfc3339 } from '../../gostd/time.ts';
import { parseRequestUri } from '../../gostd/url.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import { normalFormat } from './formats.ts';

const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const uuid3 = /^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const uuid4 = /^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i;
const uuid5 = /^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i;
// Left to a linear engine: it would backtrack badly. Compiled when it is first needed, which takes longer than all else here.
const hostname = String.raw`^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$`;
const creditCard =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;
const colorPart = '(0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])';
const blanks = '[\\t\\n\\f\\r ]*';
const rgbColor = new RegExp(
  `^rgb\\(${blanks}${colorPart}${blanks},${blanks}${colorPart}${blanks},${blanks}${colorPart}${blanks}\\)$`,
);
const shortName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const longName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

function isHostname(text: string): boolean {
  const compiled = compileGoRegexp(hostname);
  if (byteLength(text) > 255 || !compiled.ok || !compiled.matches(text)) return false;
  return text.split('.').every((part) => byteLength(part) <= 63);
}

/** Not empty, and padded. An expression for it would run out of stack on a long text. */
function isBase64(text: string): boolean {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const digits = text.slice(0, text.length - padding);
  return digits !== '' && text.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(digits);
}

/** The digits doubled every other one from the right must sum up to a multiple of ten. */
function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, '');
  if (!creditCard.test(digits)) return false;
  const sum = Array.from(digits)
    .reverse()
    .reduce((total, digit, i) => {
      const value = Number(digit) * (i % 2 === 1 ? 2 : 1);
      return total + (value >= 10 ? (value % 10) + 1 : value);
    }, 0);
  return sum % 10 === 0;
}

function bookNumber(text: string): string {
  return text.replace(/[\t\n\f\r -]+/g, '');
}

function isIsbn10(text: string): boolean {
  const number = bookNumber(text);
  if (!/^(?:[0-9]{9}X|[0-9]{10})$/.test(number)) return false;
  const sum = Array.from(number).reduce((total, digit, i) => total + (i + 1) * (digit === 'X' ? 10 : Number(digit)), 0);
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const number = bookNumber(text);
  if (!/^[0-9]{13}$/.test(number)) return false;
  const sum = Array.from(number.slice(0, 12)).reduce(
    (total, digit, i) => total + (i % 2 === 0 ? 1 : 3) * Number(digit),
    0,
  );
  return Number(number[12]) === (10 - (sum % 10)) % 10;
}

function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && 'time' in parseRfc3339(`${text}T00:00:00Z`);
}

function isDateTime(text: string): boolean {
  const parts = text.toLowerCase().split('t');
  if (byteLength(text) < 4 || parts.length < 2 || !isDate(parts[0]!)) return false;
  const clock = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$/.exec(parts[1]!);
  return clock !== null && clock[1]! <= '23' && clock[2]! <= '59' && clock[3]! <= '59';
}

const units: readonly (readonly string[])[] = [
  ['ns', 'nano'],
  ['us', 'µs', 'micro'],
  ['ms', 'milli'],
  ['s', 'sec'],
  ['m', 'min'],
  ['h', 'hr', 'hour'],
  ['d', 'day'],
  ['w', 'wk', 'week'],
];

function isUnit(unit: string): boolean {
  return units.some((variants) => variants.includes(unit) || unit.startsWith(variants.at(-1)!));
}

/** Go's durations, and Scala's such as `3 hours`: any number with a unit somewhere in the text will do. */
function isDuration(text: string): boolean {
  if (parseGoDuration(text) !== undefined) return true;
  const found = [...text.matchAll(/(\d+)[\t\n\f\r ]*([A-Za-zµ]*)/g)].filter(([, , unit]) => unit !== '');
  if (found.some(([, factor]) => int64Of(factor!) === undefined)) return false;
  return found.some(([, , unit]) => isUnit(unit!.toLowerCase()));
}

type Check = (text: string, version: KubernetesVersion) => boolean;

const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['bsonobjectid', (text) => /^[0-9a-f]{24}$/i.test(text)],
  ['uri', (text, version) => 'url' in parseRequestUri(text, version.strictUrlColons)],
  ['email', isMailAddress],
  ['hostname', isHostname],
  ['ipv4', (text) => text.includes('.') && isSloppyIp(text)],
  ['ipv6', (text) => text.includes(':') && isIp(text)],
  ['cidr', isSloppyCidr],
  ['mac', isMac],
  ['uuid', (text) => uuid.test(text)],
  ['uuid3', (text) => uuid3.test(text)],
  ['uuid4', (text) => uuid4.test(text)],
  ['uuid5', (text) => uuid5.test(text)],
  ['isbn', (text) => isIsbn10(text) || isIsbn13(text)],
  ['isbn10', isIsbn10],
  ['isbn13', isIsbn13],
  ['creditcard', isCreditCard],
  ['ssn', (text) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text)],
  ['hexcolor', (text) => /^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/.test(text)],
  ['rgbcolor', (text) => rgbColor.test(text)],
  ['byte', isBase64],
  ['password', () => true],
  ['date', isDate],
  ['duration', isDuration],
  ['datetime', isDateTime],
  ['k8sshortname', (text) => text.length <= 63 && shortName.test(text)],
  ['k8slongname', (text) => text.length <= 253 && longName.test(text)],
]);

/** What judges texts of a format; undefined where the format is unknown and nothing is demanded. */
export function formatCheck(format: string, version: KubernetesVersion): ((text: string) => boolean) | undefined {
  const name = normalFormat(format);
  const check = name.startsWith('k8s') && !version.knowsNameFormats ? undefined : checks.get(name);
  return check && ((text) => check(text, version));
}
