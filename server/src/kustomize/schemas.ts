/** `openapi`: schemas of a file in the place of those that kustomize knows. */

import { readValue } from '../yaml/readValue.ts';
import type { Accumulated } from './accumulator.ts';
import type { Building } from './building.ts';
import { attempt, Failure, fail, panic } from './failure.ts';
import { builtinSchemas, customSchemas } from './merge/schema.ts';
import { placeIn } from './origin.ts';

const builtinVersion = 'v1.21.2';

/** The first kustomization that names some decides; `reset` is for the one that is built. */
export function useSchema(target: Building, made: Accumulated, reset: boolean): void {
  const { fields, file, loader, context } = target;
  const path = fields.openapi?.get('path');
  const version = fields.openapi?.get('version');
  const loaded = path === undefined ? undefined : attempt(() => loader.load(path));
  if (loaded?.failure?.kind === 'unknown') {
    target.leaveOut(made, 'remote', loaded.failure.message, file.place(['openapi', 'path']));
    return;
  }
  if (loaded?.failure) throw new Failure(loaded.failure.message, file.place(['openapi', 'path']), loaded.failure.kind);
  if (context.hasOwnSchemas && !reset) return;
  if (loaded) {
    if (version !== undefined)
      fail('builtin version and custom schema provided, cannot use both', file.place(['openapi']));
    const read = readValue(loaded.value.file.text);
    const place = placeIn(loaded.value.path);
    if (read.error !== undefined) panic(`invalid schema file: ${read.error}`, place);
    context.schemas = customSchemas(read.value);
    context.hasOwnSchemas = true;
    return;
  }
  if (!version) return;
  if (version !== builtinVersion)
    fail('the specified OpenAPI version is not built in', file.place(['openapi', 'version']));
  context.schemas = builtinSchemas;
  context.hasOwnSchemas = true;
}
