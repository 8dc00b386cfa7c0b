/** What controller-gen's generator of CRDs is asked for, as `crd:…` on its command line. */
export interface CrdOptions {
  readonly allowDangerousTypes?: boolean;
  readonly generateEmbeddedObjectMeta?: boolean;
  readonly ignoreUnexportedFields?: boolean;
  /** How many bytes a description may have; 0 for none. */
  readonly maxDescLen?: number;
  readonly deprecatedV1beta1CompatibilityPreserveUnknownFields?: boolean;
  readonly omitToolVersion?: boolean;
}

export const noOptions: CrdOptions = {};

const flags = [
  'allowDangerousTypes',
  'generateEmbeddedObjectMeta',
  'ignoreUnexportedFields',
  'deprecatedV1beta1CompatibilityPreserveUnknownFields',
  'omitToolVersion',
] as const;

/**
 * The options that `crd:NAME=VALUE,…` gives; undefined for what is not that. Those that say nothing of what a CRD holds,
 * such as the file of a header, are passed over.
 */
export function readCrdOptions(text: string): CrdOptions | undefined {
  if (text === 'crd') return noOptions;
  if (!text.startsWith('crd:')) return undefined;
  const values = new Map<string, string>();
  for (const one of text.slice('crd:'.length).split(',')) {
    const [name = '', value = ''] = one.split('=');
    values.set(name, value);
  }
  const given = flags.filter((name) => /^(?:true|false)$/.test(values.get(name) ?? ''));
  const length = values.get('maxDescLen') ?? '';
  return {
    ...Object.fromEntries(given.map((name) => [name, values.get(name) === 'true'])),
    ...(/^-?\d{1,9}$/.test(length) && { maxDescLen: Number(length) }),
  };
}

/** The options as one writes them, those alone that are given. */
export function crdOptionsText(options: CrdOptions): string {
  const given = Object.entries(options).map(([name, value]) => `${name}=${value}`);
  return given.length === 0 ? 'crd' : `crd:${given.join(',')}`;
}
