/** The functions of Sprig 3.3 that Helm has: all but those that read the environment. */
import { functionsOf } from '../functions.ts';
import { dates } from './dates.ts';
import { dicts } from './dicts.ts';
import { encoding } from './encoding.ts';
import { flow } from './flow.ts';
import { lists } from './lists.ts';
import { math } from './math.ts';
import { network } from './network.ts';
import { random } from './random.ts';
import { regex } from './regex.ts';
import { strings } from './strings.ts';
import { versions } from './versions.ts';
import { words } from './words.ts';

export const sprig = functionsOf(
  strings,
  words,
  lists,
  dicts,
  flow,
  math,
  dates,
  regex,
  versions,
  network,
  encoding,
  random,
);
