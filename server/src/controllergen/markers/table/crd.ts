/** What is said of a whole CRD or one of its versions, above the type of its objects; and packages. */
import { isList, isMap, type Value, type ValueMap } from '../../../base/value.ts';
import { quote } from '../../../gostd/quote.ts';
import { parseRequestUri } from '../../../gostd/url.ts';
import { addTo } from '../drafts.ts';
import type { ApplyToCrd, ApplyToSchema, Draft, MarkerDefinition } from '../model.ts';
import { integer, one, optional, required, text, texts } from './arguments.ts';

/** A map inside of a draft, which is made where it is missing. */
function inside(draft: Draft, key: string): Draft {
  const known = draft.get(key);
  if (known instanceof Map) return known;
  const made: Draft = new Map();
  draft.set(key, made);
  return made;
}

function versionOf(crd: Draft, version: string): Draft | undefined {
  const versions = inside(crd, 'spec').get('versions');
  const found = isList(versions) ? versions.find((item) => isMap(item) && item.get('name') === version) : undefined;
  return found instanceof Map ? found : undefined;
}

/** For markers of one version; `words` begin what is said if the CRD does not have it. */
function toVersion(words: string | undefined, apply: (version: Draft, value: ValueMap) => void): ApplyToCrd {
  return (crd, value, name) => {
    const version = versionOf(crd, name);
    if (!version) return words === undefined ? undefined : `${words} applied to version ${quote(name)} not in CRD`;
    apply(version, isMap(value) ? value : new Map());
    return undefined;
  };
}

/** The same for markers that controller-gen passes over where the version has no name, as in a package without one. */
function toNamedVersion(apply: (version: Draft, value: ValueMap) => void): ApplyToCrd {
  const toAny = toVersion(undefined, apply);
  return (crd, value, name) => (name === '' ? undefined : toAny(crd, value, name));
}

/** The arguments that are not zero, which Go leaves out, after those that are always there. */
function written(value: ValueMap, always: readonly string[], others: readonly string[]): Draft {
  const out: Draft = new Map();
  for (const key of always) out.set(key, value.get(key) ?? '');
  for (const key of others) {
    const given = value.get(key);
    if (given !== undefined && given !== '' && given !== 0n) out.set(key, given);
  }
  return out;
}

function int32(value: Value | undefined): bigint {
  return typeof value === 'bigint' ? BigInt.asIntN(32, value) : 0n;
}

const setNames: ApplyToCrd = (crd, value) => {
  if (!isMap(value)) return undefined;
  const spec = inside(crd, 'spec');
  const names = inside(spec, 'names');
  if (value.get('path')) names.set('plural', value.get('path')!);
  if (value.get('singular')) names.set('singular', value.get('singular')!);
  const lists = [
    ['shortNames', 'shortName'],
    ['categories', 'categories'],
  ] as const;
  for (const [key, argument] of lists) {
    const given = value.get(argument);
    if (isList(given) && given.length > 0) names.set(key, given);
    else names.delete(key);
  }
  spec.set('scope', value.get('scope') || 'Namespaced');
  return undefined;
};

const setMetadata: ApplyToCrd = (crd, value) => {
  if (!isMap(value)) return undefined;
  for (const key of ['annotations', 'labels']) {
    const given = value.get(key);
    if (!isList(given) || given.length === 0) continue;
    const entries = inside(inside(crd, 'metadata'), key);
    for (const entry of given.map(String)) {
      const at = entry.indexOf('=');
      // Of labels controller-gen says nothing, and ends with a panic.
      if (at === -1) return `${key.slice(0, -1)} ${entry} is not in 'xxx=xxx' format`;
      entries.set(entry.slice(0, at), entry.slice(at + 1));
    }
  }
  return undefined;
};

const skip: ApplyToCrd = (crd, _, name) => {
  if (name === '') return 'cannot skip a version if there is only a single version';
  const spec = inside(crd, 'spec');
  const versions = spec.get('versions');
  if (isList(versions))
    spec.set(
      'versions',
      versions.filter((item) => !isMap(item) || item.get('name') !== name),
    );
  return undefined;
};

const setDocs: ApplyToSchema = (schema, value) => {
  if (!isMap(value)) return undefined;
  const url = String(value.get('url') ?? '');
  const read = parseRequestUri(url);
  if ('error' in read) return `invalid url ${quote(url)} in kubebuilder:externalDocs marker: ${read.error}`;
  schema.set('externalDocs', written(value, [], ['description', 'url']));
  return undefined;
};

const columnTypes = ['string', 'integer', 'number', 'boolean', 'date'];
const columnFormats = ['int32', 'int64', 'float', 'double', 'byte', 'date', 'date-time', 'password', 'name'];
const jsonPath = 'A simple JSONPath from the root of the object, such as `.status.phase`.';

type About = Omit<MarkerDefinition, 'name' | 'targets' | 'reader'>;

function ofType(name: string, about: About): MarkerDefinition {
  return { name, targets: ['type'], reader: 'crd', ...about };
}

function ofPackage(name: string, about: About): MarkerDefinition {
  return { name, targets: ['package'], reader: 'crd', ...about };
}

export const crdMarkers: readonly MarkerDefinition[] = [
  ofType('kubebuilder:subresource:status', {
    doc: 'Gives the objects a status subresource: `status` is written through it alone, and everything else without it.',
    becomes: '`subresources.status` of the version',
    arguments: [],
    sets: { of: 'version', path: ['subresources', 'status'] },
    applyToCrd: toVersion('status subresource', (version) => {
      inside(version, 'subresources').set('status', new Map());
    }),
  }),
  ofType('kubebuilder:subresource:scale', {
    doc: 'Gives the objects a scale subresource, which `kubectl scale` and autoscalers use.',
    becomes: '`subresources.scale` of the version',
    arguments: [
      required('specpath', text, 'The path of the replicas asked for, such as `.spec.replicas`.', {
        offers: 'path',
        sets: 'specReplicasPath',
      }),
      required('statuspath', text, 'The path of the replicas there are, such as `.status.replicas`.', {
        offers: 'path',
        sets: 'statusReplicasPath',
      }),
      optional(
        'selectorpath',
        text,
        'The path of the label selector as a string. A HorizontalPodAutoscaler needs it.',
        { offers: 'path', sets: 'labelSelectorPath' },
      ),
    ],
    sets: { of: 'version', path: ['subresources', 'scale'] },
    applyToCrd: toVersion('scale subresource', (version, value) => {
      const scale: Draft = new Map();
      const selector = value.get('selectorpath');
      if (selector !== undefined) scale.set('labelSelectorPath', selector);
      scale.set('specReplicasPath', value.get('specpath') ?? '');
      scale.set('statusReplicasPath', value.get('statuspath') ?? '');
      inside(version, 'subresources').set('scale', scale);
    }),
  }),
  ofType('kubebuilder:printcolumn', {
    doc: 'A column of `kubectl get`.',
    becomes: 'an entry of `additionalPrinterColumns` of the version',
    arguments: [
      required('name', text, 'The heading.'),
      required('type', text, 'The type of what the path finds; `date` is shown as an age.', { values: columnTypes }),
      required('JSONPath', text, jsonPath, { offers: 'path', sets: 'jsonPath' }),
      optional('description', text, 'What the column means.'),
      optional('format', text, 'The format of the type; `name` marks the column with the name.', {
        values: columnFormats,
      }),
      optional('priority', integer, 'Columns above 0 are shown with `-o wide` alone.', { values: ['0', '1'] }),
    ],
    repeats: true,
    sets: { of: 'version', path: ['additionalPrinterColumns'] },
    applyToCrd: toVersion('printer columns', (version, value) => {
      // controller-gen leaves an empty map of subresources behind.
      inside(version, 'subresources');
      const column = new Map(value)
        .set('jsonPath', value.get('JSONPath') ?? '')
        .set('priority', int32(value.get('priority')));
      addTo(
        version,
        'additionalPrinterColumns',
        written(column, ['jsonPath', 'name', 'type'], ['description', 'format', 'priority']),
      );
    }),
  }),
  ofType('kubebuilder:resource', {
    doc: 'The names and the scope of the objects.',
    becomes: '`names` and `scope` of the CRD',
    arguments: [
      optional('path', text, 'The plural, in lower case. It is also in the name of the CRD.'),
      optional('shortName', texts, 'Short names for `kubectl`, separated by semicolons.'),
      optional(
        'categories',
        texts,
        'The groups of resources that these belong to, separated by semicolons; `all` is what `kubectl get all` shows.',
        { values: ['all'] },
      ),
      optional('singular', text, 'The singular, in lower case.'),
      optional('scope', text, 'Whether the objects are in namespaces. `Namespaced` unless given.', {
        values: ['Namespaced', 'Cluster'],
      }),
    ],
    sets: { of: 'crd', path: ['spec', 'names'] },
    applyToCrd: setNames,
  }),
  ofType('kubebuilder:storageversion', {
    doc: 'Objects are stored as this version. One version of a CRD with several needs it.',
    becomes: '`storage: true` of the version',
    arguments: [],
    sets: { of: 'version', path: ['storage'] },
    applyToCrd: toNamedVersion((version) => void version.set('storage', true)),
  }),
  ofType('kubebuilder:skipversion', {
    doc: 'Leaves this version out of the CRD.',
    becomes: 'nothing',
    arguments: [],
    applyToCrd: skip,
  }),
  ofType('kubebuilder:unservedversion', {
    doc: 'The API server does not serve this version, though stored objects may still be in it.',
    since: '0.3',
    becomes: '`served: false` of the version',
    arguments: [],
    sets: { of: 'version', path: ['served'] },
    applyToCrd: toVersion(undefined, (version) => void version.set('served', false)),
  }),
  ofType('kubebuilder:deprecatedversion', {
    doc: 'Clients are warned when they use this version.',
    since: '0.6',
    becomes: '`deprecated: true` of the version',
    arguments: [
      optional('warning', text, "The warning, instead of the API server's own.", { beside: 'deprecationWarning' }),
    ],
    sets: { of: 'version', path: ['deprecated'] },
    applyToCrd: toNamedVersion((version, value) => {
      version.set('deprecated', true);
      const warning = value.get('warning');
      if (warning === undefined) version.delete('deprecationWarning');
      else version.set('deprecationWarning', warning);
    }),
  }),
  ofType('kubebuilder:metadata', {
    doc: 'Annotations and labels of the CRD itself.',
    since: '0.11',
    becomes: '`metadata` of the CRD',
    arguments: [
      optional('annotations', texts, 'Each `key=value`, separated by semicolons.'),
      optional('labels', texts, 'Each `key=value`, separated by semicolons.'),
    ],
    repeats: true,
    sets: { of: 'crd', path: ['metadata'] },
    applyToCrd: setMetadata,
  }),
  ofType('kubebuilder:selectablefield', {
    doc: 'A field that field selectors can name: `kubectl get --field-selector`.',
    since: '0.17',
    becomes: 'an entry of `selectableFields` of the version',
    arguments: [required('JSONPath', text, jsonPath, { offers: 'path', sets: 'jsonPath' })],
    repeats: true,
    sets: { of: 'version', path: ['selectableFields'] },
    applyToCrd: toVersion('selectable field', (version, value) => {
      addTo(
        version,
        'selectableFields',
        written(new Map([['jsonPath', value.get('JSONPath') ?? '']]), ['jsonPath'], []),
      );
    }),
  }),
  {
    name: 'kubebuilder:externalDocs',
    targets: ['type', 'field'],
    reader: 'crd',
    doc: 'Where documentation of it can be found.',
    since: '0.21',
    becomes: '`externalDocs` of the schema',
    arguments: [required('url', text, 'An absolute URL.'), optional('description', text, 'What is found there.')],
    sets: { of: 'schema', path: ['externalDocs'] },
    apply: setDocs,
  },
  ofPackage('groupName', {
    doc: 'The API group of the package. Without it, no CRD is made of its types.',
    becomes: '`spec.group` of the CRD',
    arguments: [optional('', text, 'A DNS name, such as `example.com`.')],
    sets: { of: 'crd', path: ['spec', 'group'] },
  }),
  ofPackage('versionName', {
    doc: 'The version of the API, where the package is not named after it.',
    becomes: "the version's name",
    arguments: one(text, 'A version, such as `v1beta1`.'),
    sets: { of: 'version', path: ['name'] },
  }),
  ofPackage('kubebuilder:validation:Optional', {
    doc: 'Fields of this package may be left out unless they say otherwise.',
    becomes: 'names that are not in `required`',
    arguments: [],
    instead: 'optional',
  }),
  ofPackage('kubebuilder:validation:Required', {
    doc: 'Fields of this package have to be there unless they say otherwise.',
    becomes: 'names in `required`',
    arguments: [],
    instead: 'required',
  }),
  ofPackage('kubebuilder:skip', {
    doc: 'No CRDs are made of this package.',
    since: '0.3',
    becomes: 'nothing',
    arguments: [],
  }),
];
