import { isConfig } from '../config.ts';
import type { Language } from './language.ts';
import { yaml } from './yaml.ts';

/** `.kube-crd.yaml`: settings of a folder. */
export const config: Language = { ...yaml, isOf: ({ uri }) => isConfig(uri) };
