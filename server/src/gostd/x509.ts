import { constructedField, DerReader, plainField, tag } from './der.ts';
import { isIp } from './ip.ts';
import { quote } from './quote.ts';
import { parseDate } from './time.ts';
import { parseUrl } from './url.ts';
import { publicKey } from './x509Key.ts';
import { Malformed, need, Unsure } from './x509Refusal.ts';

/** `unsure`: Go's releases differ, or this does not look closely enough to know. */
export type CertificateVerdict = 'valid' | 'unsure' | { readonly problem: string };

/** What Go's x509.ParseCertificate says of a certificate, which is the first thing that it cannot read. */
export function parseCertificate(der: Uint8Array): CertificateVerdict {
  try {
    certificate(der);
    return 'valid';
  } catch (error) {
    if (error instanceof Malformed) return { problem: error.message };
    if (error instanceof Unsure) return 'unsure';
    throw error;
  }
}

function certificate(der: Uint8Array): void {
  const { whole, body } = need(new DerReader(der).element(tag.sequence), 'malformed certificate');
  const outer = new DerReader(body);
  const tbs = need(outer.within(tag.sequence), 'malformed tbs certificate');
  const version = versionOf(tbs);
  serialNumber(tbs);
  signatureAlgorithm(tbs, outer);
  name(tbs, 'malformed issuer');
  validity(need(tbs.within(tag.sequence), 'malformed validity'));
  name(tbs, 'malformed issuer');
  publicKey(need(tbs.within(tag.sequence), 'malformed spki'));
  if (version > 0n) {
    skip(tbs, plainField(1), 'malformed issuerUniqueID');
    skip(tbs, plainField(2), 'malformed subjectUniqueID');
  }
  if (version === 2n) extensions(tbs);
  need(outer.bits(), 'malformed signature');
  need(whole.length === der.length, 'trailing data');
}

function versionOf(tbs: DerReader): bigint {
  if (!tbs.startsWith(constructedField(0))) return 0n;
  const field = need(tbs.within(constructedField(0)), 'malformed version');
  const version = need(field.integer(), 'malformed version');
  need(field.empty && version >= 0n && version < 2n ** 63n, 'malformed version');
  need(version <= 2n, 'invalid version');
  return version;
}

function serialNumber(tbs: DerReader): void {
  // Go refuses negative numbers since 1.23, which not every supported release of Kubernetes is built with.
  if (need(tbs.integer(), 'malformed serial number') < 0n) throw new Unsure();
}

function signatureAlgorithm(tbs: DerReader, outer: DerReader): void {
  const inner = need(tbs.body(tag.sequence), 'malformed signature algorithm identifier');
  const stated = need(outer.body(tag.sequence), 'malformed algorithm identifier');
  const same = inner.length === stated.length && inner.every((byte, i) => byte === stated[i]);
  need(same, "inner and outer signature algorithm identifiers don't match");
  algorithm(new DerReader(inner));
}

function algorithm(identifier: DerReader): void {
  need(identifier.objectId(), 'malformed OID');
  if (!identifier.empty) need(identifier.any(), 'malformed parameters');
}

function skip(reader: DerReader, wanted: number, problem: string): void {
  if (reader.startsWith(wanted)) need(reader.body(wanted), problem);
}

function name(tbs: DerReader, problem: string): void {
  const invalid = 'invalid RDNSequence';
  for (const names = need(tbs.within(tag.sequence), problem); !names.empty; ) {
    for (const set = need(names.within(tag.set), invalid); !set.empty; ) {
      const attribute = need(set.within(tag.sequence), `${invalid}: invalid attribute`);
      need(attribute.objectId(), `${invalid}: invalid attribute type`);
      const value = need(attribute.any(), `${invalid}: invalid attribute value`);
      const wrong = textProblem(value.tag, value.body);
      need(wrong === undefined, `${invalid}: invalid attribute value: ${wrong}`);
    }
  }
}

const printable = /^[A-Za-z0-9'()+,\-./ :=?*&]*$/;

/** What each type of text allows, and what Go calls one that has something else. */
const textTypes = new Map<number, { name: string; allows: (bytes: Uint8Array) => boolean }>([
  [tag.t61, { name: 'T61String', allows: () => true }],
  [tag.printable, { name: 'PrintableString', allows: (bytes) => printable.test(binary(bytes)) }],
  [tag.utf8, { name: 'UTF-8 string', allows: isUtf8 }],
  [tag.bmp, { name: 'BMPString', allows: isBmp }],
  [tag.ia5, { name: 'IA5String', allows: isAscii }],
  [tag.numeric, { name: 'NumericString', allows: (bytes) => /^[0-9 ]*$/.test(binary(bytes)) }],
]);

function textProblem(type: number, bytes: Uint8Array): string | undefined {
  const known = textTypes.get(type);
  if (!known) return `unsupported string type: ${type}`;
  return known.allows(bytes) ? undefined : `invalid ${known.name}`;
}

function binary(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
}

function isAscii(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte < 0x80);
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** Two bytes a character, no surrogates and none of those that are not characters. */
function isBmp(bytes: Uint8Array): boolean {
  if (bytes.length % 2 !== 0) return false;
  for (let at = 0; at < bytes.length; at += 2) {
    const point = bytes[at]! * 256 + bytes[at + 1]!;
    if (point >= 0xfffe || (point >= 0xfdd0 && point <= 0xfdef) || (point >= 0xd800 && point <= 0xdfff)) return false;
  }
  return true;
}

function validity(times: DerReader): void {
  time(times);
  time(times);
}

const utcTime = /^(\d\d)(\d\d)(\d\d)(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d)?(?:Z|[+-](?!0000)(?:[01]\d|2[0-4])[0-5]\d)$/;
const generalizedTime =
  /^(\d{4})(\d\d)(\d\d)(?:[01]\d|2[0-3])[0-5]\d[0-5]\d(?:Z|[+-](?!0000)(?:[01]\d|2[0-4])[0-5]\d)$/;

function time(times: DerReader): void {
  if (times.startsWith(tag.utcTime)) {
    const text = binary(need(times.body(tag.utcTime), 'malformed UTCTime'));
    const [, year = '', month = '', day = ''] = utcTime.exec(text) ?? [];
    need(isDate(`${Number(year) < 69 ? '20' : '19'}${year}`, month, day), 'malformed UTCTime');
  } else {
    need(times.startsWith(tag.generalizedTime), 'unsupported time format');
    const text = binary(need(times.body(tag.generalizedTime), 'malformed GeneralizedTime'));
    const [, year = '', month = '', day = ''] = generalizedTime.exec(text) ?? [];
    need(isDate(year, month, day), 'malformed GeneralizedTime');
  }
}

function isDate(year: string, month: string, day: string): boolean {
  return !('error' in parseDate(`${year}-${month}-${day}`));
}

interface Extension {
  readonly id: string;
  readonly critical: boolean;
  readonly value: Uint8Array;
}

function extensions(tbs: DerReader): void {
  if (!tbs.startsWith(constructedField(3))) return;
  const field = need(tbs.within(constructedField(3)), 'malformed extensions');
  const found = new Map<string, Extension>();
  for (const list = need(field.within(tag.sequence), 'malformed extensions'); !list.empty; ) {
    const next = extension(need(list.within(tag.sequence), 'malformed extension'));
    need(!found.has(next.id), `certificate contains duplicate extension with OID ${quote(next.id)}`);
    found.set(next.id, next);
  }
  for (const next of found.values()) knownExtensions.get(next.id)?.(new DerReader(next.value), next);
}

function extension(reader: DerReader): Extension {
  const id = need(reader.objectId(), 'malformed extension OID field');
  const critical = reader.startsWith(tag.boolean) ? reader.boolean() : false;
  need(critical !== undefined, 'malformed extension critical field');
  return {
    id,
    critical: critical === true,
    value: need(reader.body(tag.octetString), 'malformed extension value field'),
  };
}

type Check = (value: DerReader, extension: Extension) => void;

const knownExtensions = new Map<string, Check>([
  ['2.5.29.14', subjectKeyId],
  ['2.5.29.15', (value) => need(value.bits(), 'invalid key usage')],
  ['2.5.29.17', alternativeNames],
  ['2.5.29.19', basicConstraints],
  ['2.5.29.30', nameConstraints],
  ['2.5.29.31', distributionPoints],
  ['2.5.29.32', policies],
  ['2.5.29.33', policyMappings],
  ['2.5.29.35', authorityKeyId],
  ['2.5.29.36', policyConstraints],
  ['2.5.29.37', keyUsages],
  ['2.5.29.54', (value) => need(isInt64(value.integer()), 'invalid inhibit any policy extension')],
  ['1.3.6.1.5.5.7.1.1', authorityAccess],
]);

function isInt64(value: bigint | undefined): boolean {
  return value !== undefined && BigInt.asIntN(64, value) === value;
}

function subjectKeyId(value: DerReader, { critical }: Extension): void {
  need(!critical, 'subject key identifier incorrectly marked critical');
  need(value.body(tag.octetString), 'invalid subject key identifier');
}

function authorityKeyId(value: DerReader, { critical }: Extension): void {
  need(!critical, 'authority key identifier incorrectly marked critical');
  skip(
    need(value.within(tag.sequence), 'invalid authority key identifier'),
    plainField(0),
    'invalid authority key identifier',
  );
}

function basicConstraints(value: DerReader): void {
  const problem = 'invalid basic constraints';
  const fields = need(value.within(tag.sequence), problem);
  if (fields.startsWith(tag.boolean)) need(fields.boolean() !== undefined, problem);
  if (!fields.startsWith(tag.integer)) return;
  const length = need(fields.integer(), problem);
  need(length >= 0n && length < 2n ** 63n, problem);
}

function alternativeNames(value: DerReader): void {
  for (const names = need(value.within(tag.sequence), 'invalid subject alternative names'); !names.empty; ) {
    const one = need(names.any(), 'invalid subject alternative name');
    const malformed = nameKinds.get(one.tag);
    if (malformed) need(isAscii(one.body), `SAN ${malformed} is malformed`);
    if (one.tag === plainField(6)) uriName(binary(one.body));
    if (one.tag === plainField(7)) {
      need(one.body.length === 4 || one.body.length === 16, `cannot parse IP address of length ${one.body.length}`);
    }
  }
}

const nameKinds = new Map([
  [plainField(1), 'rfc822Name'],
  [plainField(2), 'dNSName'],
  [plainField(6), 'uniformResourceIdentifier'],
]);

function uriName(text: string): void {
  const parsed = parseUrl(text);
  need('url' in parsed, `cannot parse URI ${quote(text)}: ${'error' in parsed && parsed.error}`);
  const host = 'url' in parsed ? parsed.url.host : '';
  need(host === '' || isDomain(host), `cannot parse URI ${quote(text)}: invalid domain`);
}

/** Go's rules for a domain; they were stricter for some of its releases. */
function isDomain(text: string): boolean {
  return text.split('.').every((label) => /^[!-~]+$/.test(label));
}

function nameConstraints(value: DerReader): void {
  const problem = 'invalid NameConstraints extension';
  const fields = need(value.within(tag.sequence), problem);
  need(value.empty, problem);
  const lists = [constructedField(0), constructedField(1)].map((wanted) =>
    fields.startsWith(wanted) ? need(fields.within(wanted), problem) : new DerReader(new Uint8Array()),
  );
  need(fields.empty, problem);
  need(
    lists.some((list) => !list.empty),
    'empty name constraints extension',
  );
  for (const list of lists) {
    while (!list.empty) constraint(need(need(list.within(tag.sequence), problem).any(), problem));
  }
}

function constraint({ tag: kind, body }: { tag: number; body: Uint8Array }): void {
  if (kind === plainField(7)) addressConstraint(body);
  if (nameKinds.has(kind)) nameConstraint(kind, body);
}

function nameConstraint(kind: number, body: Uint8Array): void {
  const text = binary(body);
  // Go prints these bytes as the text that they are not, in words of its own.
  if (!isAscii(body)) throw new Unsure();
  // A mailbox is read by a grammar that is not worth its length here.
  if (kind === plainField(1) && text.includes('@')) throw new Unsure();
  const what = { [plainField(1)]: 'rfc822Name', [plainField(2)]: 'dnsName', [plainField(6)]: 'URI' }[kind]!;
  const failed = `failed to parse ${what} constraint ${quote(text)}`;
  if (kind === plainField(6)) need(!isIp(text), `${failed}: cannot be IP address`);
  need(text === '' || isDomain(text.replace(/^\./, '')), failed);
}

function addressConstraint(bytes: Uint8Array): void {
  need(bytes.length === 8 || bytes.length === 32, `IP constraint contained value of length ${bytes.length}`);
  const mask = Array.from(bytes.subarray(bytes.length / 2), (byte) => byte.toString(2).padStart(8, '0')).join('');
  const hex = Array.from(bytes.subarray(bytes.length / 2), (byte) => byte.toString(16).padStart(2, '0')).join('');
  need(/^1*0*$/.test(mask), `IP constraint contained invalid mask ${hex}`);
}

function distributionPoints(value: DerReader): void {
  const problem = 'invalid CRL distribution point';
  for (const list = need(value.within(tag.sequence), `${problem}s`); !list.empty; ) {
    const point = need(list.within(tag.sequence), problem);
    if (!point.startsWith(constructedField(0))) continue;
    const names = need(need(point.within(constructedField(0)), problem).within(constructedField(0)), problem);
    while (names.startsWith(plainField(6))) need(names.body(plainField(6)), problem);
  }
}

function policies(value: DerReader): void {
  const problem = 'invalid certificate policies';
  const seen = new Set<string>();
  for (const list = need(value.within(tag.sequence), problem); !list.empty; ) {
    const id = need(need(list.within(tag.sequence), problem).body(tag.objectId), problem);
    need(isPolicyId(id) && !seen.has(binary(id)), problem);
    seen.add(binary(id));
  }
}

/** An object identifier whose parts may be of any size; none starts with a zero. */
function isPolicyId(bytes: Uint8Array): boolean {
  const whole = bytes.length > 0 && bytes.at(-1)! < 0x80;
  return whole && bytes.every((byte, i) => byte !== 0x80 || (i > 0 && bytes[i - 1]! >= 0x80));
}

function policyMappings(value: DerReader): void {
  const problem = 'invalid policy mappings extension';
  for (const list = need(value.within(tag.sequence), problem); !list.empty; ) {
    const pair = need(list.within(tag.sequence), problem);
    need(pair.body(tag.objectId), problem);
    need(pair.body(tag.objectId), problem);
  }
}

function policyConstraints(value: DerReader): void {
  const problem = 'invalid policy constraints extension';
  const fields = need(value.within(tag.sequence), problem);
  for (const wanted of [plainField(0), plainField(1)]) {
    if (fields.startsWith(wanted)) need(isInt64(fields.integer(wanted)), problem);
  }
}

function keyUsages(value: DerReader): void {
  const problem = 'invalid extended key usages';
  for (const list = need(value.within(tag.sequence), problem); !list.empty; ) need(list.objectId(), problem);
}

function authorityAccess(value: DerReader, { critical }: Extension): void {
  need(!critical, 'authority info access incorrectly marked critical');
  const problem = 'invalid authority info access';
  for (const list = need(value.within(tag.sequence), problem); !list.empty; ) {
    const access = need(list.within(tag.sequence), problem);
    need(access.objectId(), problem);
    skip(access, plainField(6), problem);
  }
}
