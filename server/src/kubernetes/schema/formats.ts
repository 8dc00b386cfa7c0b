import type { KubernetesVersion } from '../releases/release.ts';

/** The formats of strings that the API server knows, named without dashes. */
export const stringFormats: readonly string[] = [
  'bsonobjectid',
  'uri',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'cidr',
  'mac',
  'uuid',
  'uuid3',
  'uuid4',
  'uuid5',
  'isbn',
  'isbn10',
  'isbn13',
  'creditcard',
  'ssn',
  'hexcolor',
  'rgbcolor',
  'byte',
  'password',
  'date',
  'duration',
  'datetime',
];

const nameFormats: readonly string[] = ['k8sshortname', 'k8slongname'];

/** Formats are told apart without their dashes. */
export function normalFormat(format: string): string {
  return format.replaceAll('-', '');
}

function isStringFormat(format: string, version: KubernetesVersion): boolean {
  const name = normalFormat(format);
  return stringFormats.includes(name) || (version.nameFormats && nameFormats.includes(name));
}

/** Whether the API server does anything with a format, on a type. */
export function isKnownFormat(type: string, format: string, version: KubernetesVersion): boolean {
  if (!version.typedFormats || type === '' || type === 'string') return isStringFormat(format, version);
  if (type === 'integer') return format === 'int32' || format === 'int64';
  return type === 'number' && (format === 'float' || format === 'double');
}
