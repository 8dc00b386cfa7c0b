import type { Value } from '../../base/value.ts';
import { quote } from '../../gostd/quote.ts';
import type { MarkerDefinition } from '../markers/model.ts';
import { readMarkerAs } from '../markers/read.ts';
import { type CrdOptions, crdOptionTypes, noOptions, oldOptionTypes } from './optionTypes.ts';

/** Options are written as the arguments of a marker are. */
const definition: MarkerDefinition = {
  name: 'crd',
  targets: ['package'],
  reader: 'other',
  doc: '',
  becomes: '',
  arguments: Object.entries(crdOptionTypes).map(([name, type]) => ({ name, type, optional: true, doc: '' })),
};

/** Options, and what controller-gen says where it cannot read them. */
export interface ReadOptions {
  readonly options: CrdOptions;
  readonly mistake?: string;
}

/** The options that `crd:NAME=VALUE,…` gives, as far as they can be read; undefined for what is not that. */
export function readCrdOptions(text: string): ReadOptions | undefined {
  if (text !== 'crd' && !text.startsWith('crd:')) return undefined;
  if (text === 'crd') return { options: noOptions };
  const { arguments: found, mistakes } = readMarkerAs(definition, `+${text}`);
  const entries = found.map(({ name, value }): [string, Value] => [name, value]);
  const options = Object.fromEntries(
    entries.filter(([name, value]) => value !== null && !Object.hasOwn(oldOptionTypes, name)),
  );
  const { maxDescLen, ...others } = options;
  const [mistake] = mistakes;
  return {
    options: { ...others, ...(maxDescLen !== undefined && { maxDescLen: Number(maxDescLen) }) },
    ...(mistake && { mistake: mistake.message }),
  };
}

/** The options as one writes them, those alone that are given. */
export function crdOptionsText(options: CrdOptions): string {
  const given = Object.entries(options).map(([name, value]) => `${name}=${isTexts(value) ? value.join(';') : value}`);
  return given.length === 0 ? 'crd' : `crd:${given.join(',')}`;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value);
}

/** Why controller-gen ends with an error before it writes a CRD; undefined where it does not. */
export function whyNoCrds({ crdVersions = [] }: CrdOptions): string | undefined {
  const other = crdVersions.find((version) => version !== 'v1');
  if (other === undefined) return undefined;
  const named = quote(`apiextensions.k8s.io/${other}`);
  if (other === 'v1beta1') return `apiVersion ${named} is not supported`;
  return `no kind "CustomResourceDefinition" is registered for version ${named} in scheme "pkg/runtime/scheme.go:111"`;
}

/** The file of a CRD, with the text of a header before it. */
export function withHeader(text: string, header: string, { year = '' }: CrdOptions): string {
  return `${header.replaceAll(' YEAR', () => ` ${year}`)}---\n${text}`;
}
