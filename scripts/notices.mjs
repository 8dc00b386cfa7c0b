// The licences of the packages that went into the bundles, as their own terms ask for.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { root } from './setup.mjs';

const line = '='.repeat(80);

/** The text of the notices for the files that were bundled: not for what stands for one (`module:…`). A package without a licence text cannot be shipped. */
export function noticesOf(inputs) {
  const folders = new Set([...inputs].map((input) => /^([^:]*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1]));
  folders.delete(undefined);
  return [...dataNotices, goNotice(), ...[...folders].sort().map(noticeOf)].join('\n');
}

/** What of server/data is documentation that others wrote under the licence of this program, which is beside it. */
const dataNotices = [
  [
    'builtinKinds.json.gz',
    'The documentation of the fields in it is that of Kubernetes, Copyright The Kubernetes Authors.',
  ],
  [
    'crdSources.json.gz',
    'It names the repositories of others in which CRDs are published, and holds nothing else of them.',
  ],
  ['crossplane.json.gz', 'It is the CustomResourceDefinition of Crossplane, Copyright The Crossplane Authors.'],
  ['kro.json.gz', 'It is the CustomResourceDefinition of kro, Copyright The Kubernetes Authors.'],
  ['openApi.json.gz', 'The documentation in it is that of Kubernetes, Copyright The Kubernetes Authors.'],
].map(
  ([file, text]) =>
    `${line}\n${file} (Apache-2.0)\n${line}\n\n${text}\nIts licence is the Apache License, Version 2.0: see LICENSE.\n`,
);

/** Names and documentation of Go's own types, whose licence is in the file itself. */
function goNotice() {
  const data = JSON.parse(gunzipSync(readFileSync(path.join(root, 'server/data', 'goLibrary.json.gz'))).toString());
  return `${line}\ngoLibrary.json.gz (types and documentation of ${data.go}, BSD-3-Clause)\n${line}\n\n${data.license.trim()}\n`;
}

function noticeOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8'));
  const file = readdirSync(path.join(root, folder)).find((one) => /^(licen[cs]e|copying)/i.test(one));
  if (file === undefined) throw new Error(`${name} ${version} (${license}) comes without the text of its licence`);
  const text = readFileSync(path.join(root, folder, file), 'utf8').trim();
  return `${line}\n${name} ${version} (${license})\n${line}\n\n${text}\n`;
}
