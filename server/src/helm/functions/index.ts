import { functionsOf } from '../../template/functions.ts';

export const helmFunctions = functionsOf();
