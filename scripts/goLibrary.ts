// npm run go-library: writes server/data/goLibrary.json.gz, the types of Go's own packages as far as controller-gen looks at
// them, from the Go that is installed.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const target = 'server/data/goLibrary.json.gz';

const options = { cwd: 'test/conformance/oracle/golang', encoding: 'utf8', maxBuffer: 1 << 28 } as const;
const result = spawnSync('go', ['run', './std'], options);
if (result.status !== 0) throw new Error(`go run ./std: ${result.error?.message ?? result.stderr}`);
writeFileSync(target, gzipSync(result.stdout.trim(), { level: 9 }));
console.error(`${target}: ${result.stdout.length} characters`);
