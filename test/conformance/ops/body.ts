import { type Body, readBody, type Sent } from '../../../server/src/serve/bodies.ts';
import type { Request } from '../protocol.ts';

/** A member that holds an object, as it goes over the wire: JSON, or with `"format": "yaml"` a string of YAML. */
export function sentOf(request: Request, member: string): Sent {
  const raw = request.raw(member) ?? '';
  const isYaml = request.raw('format') === '"yaml"';
  return { text: isYaml ? (raw === '' ? '' : String(JSON.parse(raw))) : raw, isYaml };
}

export function bodyOf(request: Request, member: string): Body {
  return readBody(sentOf(request, member));
}

export function bodyText(request: Request, member: string): string {
  return sentOf(request, member).text;
}
