import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The files of a workspace as they are on disk: their text, and the line, from 1, on which something first is. */
export function filesIn(workspace) {
  const onDisk = (file) => readFileSync(path.join(workspace, file), 'utf8');
  const lineOf = (file, text) =>
    onDisk(file)
      .split('\n')
      .findIndex((line) => line.includes(text)) + 1;
  return { onDisk, lineOf };
}
