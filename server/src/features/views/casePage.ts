import type { Value } from '../../base/value.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import { renderBlock } from '../../yaml/render.ts';
import { fenced, list, type Markdown, md, text } from '../words/markdown.ts';

// What the pages about a case of tests have in common, whether it asks a CRD or policies.

export function outcome({ name }: KubernetesVersion, failures: readonly string[]): Markdown[] {
  const came = failures.length === 0 ? 'passed' : 'failed';
  return [md`Kubernetes ${name}: **${came}**`, list(failures.map(text))];
}

export function objectShown(title: Markdown, object: Value | undefined): Markdown[] {
  return object === undefined ? [] : [title, fenced('yaml', renderBlock(object, 0, style))];
}

const style = { eol: '\n', step: 2, indentLists: true };
