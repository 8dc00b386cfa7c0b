import type { BuiltinKinds } from '../kubernetes/builtin/kinds.ts';
import { deprecationWarning } from '../kubernetes/crd/deprecation.ts';
import { Admission } from './admission.ts';
import { ConversionFailed } from './conversions.ts';
import { discovered } from './discovering.ts';
import { formed, formOf } from './forms.ts';
import { mapAt } from './json.ts';
import { servedBy } from './judging.ts';
import { type Journal, keepIn } from './keeping.ts';
import { mistakeIn } from './mistakes.ts';
import { type Asked, keyOf, type Place } from './places.ts';
import { chosen, listed, readOne, type Watch, watchOf } from './reading.ts';
import { Registry } from './registry.ts';
import { Removing } from './removing.ts';
import { missing, notAllowed, type Reply, status, unknownFormat } from './replies.ts';
import { scalePaths } from './scale.ts';
import type { Serving } from './serving.ts';
import { unpatchable, Writing } from './writing.ts';

const firstNamespaces = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

/** Answers requests as the API server does for CRDs, their objects and built-in kinds, from memory. */
export class ApiServer {
  private readonly registry: Registry;
  private readonly writing: Writing;
  private readonly removing: Removing;
  private readonly journal: Journal | undefined;

  constructor(serving: Serving, journal?: Journal) {
    this.registry = new Registry(serving);
    this.journal = journal;
    if (journal) keepIn(journal, this.registry.store);
    const admission = new Admission(this.registry);
    this.writing = new Writing(this.registry, admission);
    this.removing = new Removing(this.registry, admission);
    const resource = this.registry.resources().find(({ group, kind }) => group === '' && kind === 'Namespace')!;
    for (const name of firstNamespaces) {
      const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
      const place = { resource, namespace: '', name, subresource: undefined };
      if (this.registry.store.get(keyOf(place))) continue;
      this.registry.store.put(keyOf(place), { object: this.writing.completed(body, undefined, place) });
    }
  }

  get builtin(): BuiltinKinds {
    return this.registry.serving.builtin;
  }

  placeOf(path: string): Place | undefined {
    return this.registry.placeOf(path);
  }

  newId(): string {
    return this.registry.serving.uid();
  }

  /** Until all that was changed so far lasts: nobody is told of it before. */
  get settled(): Promise<void> | undefined {
    return this.journal?.settled();
  }

  watch(asked: Asked): Watch | Reply | undefined {
    const place = this.registry.placeOf(asked.path);
    const form = place ? formOf(asked.accept, place.resource) : 'as they are';
    return form ? watchOf(this.registry, asked, form) : unacceptableFor(asked, place!);
  }

  async handle(asked: Asked): Promise<Reply> {
    const place = this.registry.placeOf(asked.path);
    if (!place) return (await discovered(this.registry, asked)) ?? noPage;
    const { builtin } = place.resource;
    const form = formOf(asked.accept, place.resource);
    if (!form) return unacceptableFor(asked, place);
    if (builtin?.verbs !== undefined && (asked.method !== 'POST' || place.name !== undefined)) return notAllowed;
    if ((asked.method === 'POST' || asked.method === 'PUT') && !isReadable(asked.type)) return unreadable;
    if (asked.method === 'PATCH' && place.name !== undefined && place.subresource !== 'scale') {
      const untaken = unpatchable(asked, place);
      if (untaken) return untaken;
    }
    const mistake = mistakeIn(asked, place, this.registry.serving.kubernetes);
    if (mistake) return mistake;
    if (this.journal?.isFull && grows(asked.method)) return full;
    const answer = await this.answer(asked, place).catch(failedConversion);
    const reply = formed(answer, { form, query: asked.query }, place.resource, this.registry.serving);
    const { crd, version } = place.resource;
    const deprecated = crd && deprecationWarning(servedBy(crd, this.registry.serving.kubernetes).lowered, version);
    return { ...reply, warnings: [...new Set([...(reply.warnings ?? []), ...(deprecated ? [deprecated] : [])])] };
  }

  private async answer(asked: Asked, place: Place): Promise<Reply> {
    const { name, subresource } = place;
    const scale = subresource === 'scale' ? scalePaths(place.resource) : undefined;
    if (scale && name !== undefined) return this.writing.again(place, () => this.writing.scale(asked, place, scale));
    if (subresource !== undefined && (subresource !== 'status' || !place.resource.hasStatus)) {
      if (place.resource.crd && name !== undefined) return missing(place);
      return status(404, 'NotFound', 'the server could not find the requested resource', {});
    }
    if (name === undefined) return this.ofAll(asked, place);
    switch (asked.method) {
      case 'GET':
        return readOne(this.registry, place);
      case 'PUT':
        return this.writing.again(place, () => this.writing.replace(asked, place, asked.body));
      case 'PATCH': {
        const applies = asked.type.startsWith('application/apply-patch');
        return this.writing.again(place, () =>
          applies ? this.writing.apply(asked, place) : this.writing.patch(asked, place),
        );
      }
      case 'DELETE':
        return this.removing.remove(asked, place, name);
      case 'POST':
        // Where routes are not made for each method, an object can be made under the path of another.
        return place.resource.crd ? this.writing.create(asked, { ...place, name: undefined }) : notAllowedHere;
      default:
        return notAllowed;
    }
  }

  private async ofAll(asked: Asked, place: Place): Promise<Reply> {
    if (asked.method === 'POST') return this.writing.create(asked, place);
    if (asked.method === 'PUT' || asked.method === 'PATCH')
      return place.resource.crd ? status(400, 'BadRequest', 'name must be provided') : notAllowedHere;
    const found = await chosen(this.registry, asked, place);
    if ('code' in found) return found;
    if (asked.method === 'DELETE') {
      for (const item of found.items) {
        const { namespace, name } = mapAt(item, 'metadata');
        await this.removing.remove(asked, { ...place, namespace: String(namespace ?? '') }, String(name));
      }
    } else if (asked.method !== 'GET') return notAllowed;
    return listed(place, found);
  }
}

const grows = (method: string) => method === 'POST' || method === 'PUT' || method === 'PATCH';

/** In the words of the store that API servers have. */
const full = status(500, '', 'etcdserver: mvcc: database space exceeded');

/** What a webhook cannot convert cannot be answered. */
function failedConversion(error: unknown): Reply {
  if (!(error instanceof ConversionFailed)) throw error;
  return status(500, '', error.message);
}

const unacceptable = status(
  406,
  'NotAcceptable',
  'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf',
);

/** What is around all but custom resources looks at media types first, and does not know their parameters. */
function unacceptableFor({ accept }: Asked, { resource }: Place): Reply {
  const isKnown = /application\/(?:json|yaml|vnd\.kubernetes\.protobuf)|\*/.test(accept);
  return resource.crd || isKnown ? unacceptable : unacceptableElsewhere;
}

const noPage: Reply = { code: 404, body: '404 page not found\n', type: 'text/plain; charset=utf-8' };

const notAllowedHere = status(
  405,
  'MethodNotAllowed',
  'the server does not allow this method on the requested resource',
  {},
);

const unacceptableElsewhere = status(
  406,
  'NotAcceptable',
  '406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf',
  {},
);

/** Objects of CRDs come as JSON or YAML; those of built-in kinds come so as well here. */
const isReadable = (type: string) => /^(?:application\/(?:json|yaml)\b|\*\/\*|$)/.test(type);

/** Protobuf is named for custom resources as well, which have none. */
const unreadable = unknownFormat(['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf']);
