import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parseAllDocuments } from 'yaml';

const folders = ['.', '.github', 'editors', 'examples'];
/** Templates of a chart are YAML only once they are rendered. */
const isYaml = (file: string) => /\.ya?ml$/.test(file) && !file.includes('templates');
const files = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: folder !== '.', encoding: 'utf8' })
    .filter(isYaml)
    .map((file) => path.join(folder, file)),
);

test('the YAML files of the repository itself can be read', () => {
  const wrong = files.flatMap((file) =>
    parseAllDocuments(readFileSync(file, 'utf8')).flatMap(({ errors }) =>
      errors.map((error) => `${file}: ${error.message}`),
    ),
  );
  assert.deepEqual(wrong, []);
  assert.ok(files.length > 5, `only ${files.length} files were read`);
});
