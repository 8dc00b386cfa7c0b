import type { LanguageName } from '../../workspace/languages/languages.ts';

const yaml: readonly string[] = [' ', ':', '.'];

/** The characters that begin a completion, by the language of a file. */
export const triggers = {
  yaml,
  kustomization: [...yaml, '/'],
  chart: [...yaml, '"', '$'],
  go: [...yaml, '+', '=', ',', '"'],
} satisfies Partial<Record<LanguageName, readonly string[]>>;
