import { stringify } from 'yaml';
import { encodeExact } from '../conformance/protocol.ts';
import type { Ask } from './generator.ts';

const fenceNames: Readonly<Record<string, string>> = {
  text: 'text',
  crd: 'crd',
  obj: 'obj',
  schema: 'self-schema',
  self: 'self',
  oldSelf: 'old-self',
};
const settingNames = ['format', 'subresource', 'environment', 'stored', 'notEstablished'];

/** A request as a case file in Markdown, ready to be moved below test/conformance/cases/. */
export function caseText(title: string, ask: Ask, rows: readonly string[]): string {
  const set = settingNames.filter((name) => ask[name] !== undefined).map((name) => `${name}: ${ask[name]}`);
  const comment = ask.op === 'crd.rules' ? [`op: ${ask.op}`, ...set] : set;
  return [
    `## ${title}`,
    ...(comment.length > 0 ? [`<!-- ${comment.join(', ')} -->`] : []),
    ...Object.entries(ask).flatMap(([member, value]) => fence(ask.op, member, value)),
    ...rows.map((row) => `- ${row}`),
    '',
  ].join('\n');
}

function fence(op: string, member: string, value: unknown): string[] {
  if (member === 'expr') return ['```cel one', String(value), '```'];
  const name = member === 'old' ? (op === 'crd.update' ? 'old-crd' : 'old') : fenceNames[member];
  if (name === undefined || value === undefined) return [];
  if (member === 'text') return ['```json text', JSON.stringify(value), '```'];
  if (typeof value === 'string') return [`\`\`\`yaml ${name}`, value, '```'];
  if (typeof value === 'object' && value !== null && 'rawJson' in value) {
    return [`\`\`\`json ${name}`, encodeExact(value), '```'];
  }
  return [`\`\`\`yaml ${name}`, stringify(value).trimEnd(), '```'];
}
