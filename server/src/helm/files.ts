/** What `.Files` has: the files of a chart that are neither templates nor its own. */
import { encodeBase64 } from '../gostd/base64.ts';
import { compileGoRegexp } from '../gostd/regexp.ts';
import { Written } from '../template/from.ts';
import { plain, traced } from '../template/functions.ts';
import { type Cell, cell, GoList, GoMap, GoStruct, Int, ofEngine } from '../template/value.ts';
import { compareKeys } from '../yaml/keyOrder.ts';
import { goYaml } from '../yaml/goYaml.ts';
import type { ChartFile } from './chart.ts';

/** A chart's files as templates see them; those of a glob are of the same type. */
export class Files extends GoMap {
  readonly methods;

  constructor(files: readonly ChartFile[]) {
    const entries = files.map((file) => [file.path, bytesOf(file)] as const);
    super(new Map(entries), { type: 'engine.files' });
    this.methods = methodsOf(files);
  }
}

function textCell({ id, text }: ChartFile): Cell {
  return cell(text, new Written({ file: id, start: 0, end: text.length }));
}

/** Bytes as they come to who asks for a list of them, which is rare. */
function bytesOf(file: ChartFile): Cell {
  return cell(new Bytes(file.text), ofEngine);
}

class Bytes extends GoList {
  readonly text: string;
  private made: readonly Cell[] | undefined;

  constructor(text: string) {
    super([], '[]uint8');
    this.text = text;
  }

  override get items(): readonly Cell[] {
    this.made ??= Array.from(new TextEncoder().encode(this.text), (byte) => cell(new Int(byte, 'uint8'), ofEngine));
    return this.made;
  }
}
