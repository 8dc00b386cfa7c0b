import { isTestFile } from '../fileNames.ts';
import type { Language } from './language.ts';
import { yaml } from './yaml.ts';

/** Tests of CRDs: YAML with objects of ours in it (`crdtest/`). */
export const crdtest: Language = { ...yaml, isOf: ({ uri }) => isTestFile(uri) };
