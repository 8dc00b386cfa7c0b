import { isKustomization } from '../fileNames.ts';
import type { Language } from './language.ts';
import { yaml } from './yaml.ts';

/** `kustomization.yaml`: what it builds is made of many files. */
export const kustomization: Language = { ...yaml, isOf: ({ uri }) => isKustomization(uri) };
