/** images: other names, tags and digests. */
import { compileGoRegexp } from '../../gostd/regexp.ts';
import type { FieldSpec } from '../config.ts';
import { nilPointer, panic } from '../failure.ts';
import { visitField } from '../fieldSpec.ts';
import type { Image } from '../kustomization.ts';
import { type Computing, computed, type Place } from '../origin.ts';
import { elementsOf, expectKind, get, setScalar } from '../tree/edit.ts';
import { isEmpty, type Node, scalarNode, textOf, valueIn } from '../tree/node.ts';
import type { Transformer } from './transformer.ts';

interface Parts {
  readonly name: string;
  readonly tag: string;
  readonly digest: string;
}

export function splitImage(image: string): Parts {
  const slash = image.indexOf('/');
  const from = slash > 0 ? slash : 0;
  const at = image.indexOf('@', from);
  const colon = image.indexOf(':', from);
  if (colon < 0 && at < 0) return { name: image, tag: '', digest: '' };
  if (at >= 0 && (at < colon || colon < 0)) return { name: image.slice(0, at), tag: '', digest: image.slice(at + 1) };
  if (at >= 0) return { name: image.slice(0, colon), tag: image.slice(colon + 1, at), digest: image.slice(at + 1) };
  return { name: image.slice(0, colon), tag: image.slice(colon + 1), digest: '' };
}

function replaced(image: string, { newName, newTag, digest, tagSuffix }: Image): string {
  const parts = splitImage(image);
  let { tag, digest: hash } = parts;
  if (newTag && digest) [tag, hash] = [newTag, digest];
  else if (newTag) [tag, hash] = [newTag, ''];
  else if (digest) [tag, hash] = ['', digest];
  else if (tagSuffix) [tag, hash] = [tag + tagSuffix, ''];
  return `${newName || parts.name}${tag && `:${tag}`}${hash && `@${hash}`}`;
}

export function imageTransformer(
  image: Image,
  specs: readonly FieldSpec[],
  place: Place,
  what: Computing = 'images',
): Transformer {
  return {
    plugin: 'ImageTagTransformer',
    place,
    isAlone: true,
    transform: ({ set }) => {
      const change = changer(image, place, what);
      const nodes = set.list.flatMap(({ node }) => (node && !isDefinition(node) ? [node] : []));
      for (const node of nodes) inContainers(node, change);
      for (const node of nodes)
        for (const spec of specs) visitField(node, { spec, create: 'none', createTag: '', set: change });
    },
  };
}

function isDefinition(node: Node): boolean {
  const kind = valueIn(node, 'kind');
  return !isEmpty(kind) && textOf(kind) === 'CustomResourceDefinition';
}

function changer(image: Image, place: Place, what: Computing): (node: Node) => void {
  const pattern = compileGoRegexp(`^${image.name ?? ''}(:[a-zA-Z0-9_.{}-]*)?(@sha256:[a-zA-Z0-9_.{}-]*)?$`);
  return (node) => {
    expectKind(node, 'scalar');
    if (!pattern.ok) panic(nilPointer, place);
    if (!pattern.matches(node.value)) return;
    setScalar(node, scalarNode(replaced(node.value, image), computed(what, place, node.origin)));
  };
}

/** The images of all that is called containers, wherever it is. */
function inContainers(node: Node, change: (node: Node) => void): void {
  if (node.kind === 'list') for (const item of node.content) inContainers(item, change);
  if (node.kind !== 'map') return;
  for (let i = 0; i + 1 < node.content.length; i += 2) {
    const [key, value] = [node.content[i]!.value, node.content[i + 1]!];
    inContainers(value, change);
    if ((key !== 'containers' && key !== 'initContainers') || value.kind !== 'list') continue;
    for (const container of elementsOf(value)) {
      const found = get(container, 'image');
      if (found) change(found);
    }
  }
}
