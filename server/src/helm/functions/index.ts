/** The functions that Helm adds to Sprig's and that need to know nothing of a chart. */
import { functionsOf } from '../../template/functions.ts';
import { durationFunctions } from './durations.ts';
import { jsonFunctions } from './json.ts';
import { tomlFunctions } from './toml.ts';
import { yamlFunctions } from './yaml.ts';

export const helmFunctions = functionsOf(yamlFunctions, jsonFunctions, tomlFunctions, durationFunctions);
