import { faultsIn } from '../../../server/src/controllergen/syntax/fault.ts';
import type { Answer, Request } from '../protocol.ts';

/** What Go's parser says of a text, each behind the number of bytes before it. */
export function goParse(request: Request): Answer {
  const source: string = JSON.parse(request.raw('source') ?? '""');
  const faults = faultsIn(source).map(({ at, message }) => `${Buffer.byteLength(source.slice(0, at))}: ${message}`);
  return faults.length > 0 ? { faults } : {};
}
