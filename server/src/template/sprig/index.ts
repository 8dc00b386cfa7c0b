import { functionsOf } from '../functions.ts';

export const sprig = functionsOf();
