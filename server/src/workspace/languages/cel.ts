import { isPlayground } from '../fileNames.ts';
import type { Language } from './language.ts';
import { yaml } from './yaml.ts';

/** Playgrounds: YAML with an expression that belongs to no rule, and what it is tried over. */
export const cel: Language = { ...yaml, isOf: ({ uri }) => isPlayground(uri) };
