/** `openapi`: schemas of a file in the place of those that kustomize knows. */
import { attempt, Failure, fail } from './failure.ts';
import { builtinSchemas, customSchemas } from './merge/schema.ts';
import { readValue } from './readValue.ts';
import type { Target } from './target.ts';

const builtinVersion = 'v1.21.2';

/** The first kustomization that names some decides; `reset` is for the one that is built. */
export function useSchema({ fields, file, loader, context }: Target, reset: boolean): void {
  const path = fields.openapi?.get('path');
  const version = fields.openapi?.get('version');
  const loaded = path === undefined ? undefined : attempt(() => loader.load(path));
  if (loaded?.failure) throw new Failure(loaded.failure.message, file.place(['openapi', 'path']), loaded.failure.kind);
  if (context.hasOwnSchemas && !reset) return;
  if (loaded) {
    if (version !== undefined) fail('builtin version and custom schema provided, cannot use both', file.place(['openapi']));
    const read = readValue(loaded.value.file.text);
    const place = { file: loaded.value.path, start: 0, end: 0 };
    if (read.error !== undefined) fail(`panic: invalid schema file: ${read.error}`, place);
    context.schemas = customSchemas(read.value);
    context.hasOwnSchemas = true;
    return;
  }
  if (!version) return;
  if (version !== builtinVersion) fail('the specified OpenAPI version is not built in', file.place(['openapi', 'version']));
  context.schemas = builtinSchemas;
  context.hasOwnSchemas = true;
}
