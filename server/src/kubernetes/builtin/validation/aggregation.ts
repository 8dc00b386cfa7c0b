import { decodeBase64 } from '../../../gostd/base64.ts';
import { utf8 } from '../../../gostd/bytes.ts';
import { goAny } from '../../goValue.ts';
import { dns1035Label, dns1123Subdomain } from '../../names.ts';
import { apiServiceName } from '../names.ts';
import type { Fields } from './check.ts';

const highest = { group: 20_000n, version: 1_000n, port: 65_535n };
const usualPort = 443n;

/** What says which server answers for a version of a group. */
export function validateApiService(object: Fields): void {
  const spec = object.object('spec');
  spec.part(() => names(spec));
  spec.part(() => priority(spec, 'groupPriorityMinimum', highest.group));
  spec.part(() => priority(spec, 'versionPriority', highest.version));
  spec.part(() => {
    const service = spec.pointer('service');
    if (service) elsewhere(spec, service);
    else here(spec);
  });
}

/** Its name is looked at once more when it changes, since it goes with the group and the version. */
export function updateApiService(now: Fields): void {
  const metadata = now.object('metadata');
  const name = metadata.text('name');
  metadata.wrong(metadata.at('name'), name, apiServiceName(now.map)(name, false), 'builtin/name');
}

function names(spec: Fields): void {
  const [group, version] = [spec.text('group'), spec.text('version')];
  if (group !== '') spec.wrong(spec.at('group'), group, dns1123Subdomain(group), 'builtin/name');
  else if (version !== 'v1') spec.required('group', 'only v1 may have an empty group and it better be legacy kube');
  spec.wrong(spec.at('version'), version, dns1035Label(version), 'builtin/name');
}

function priority(spec: Fields, key: string, most: bigint): void {
  const value = spec.integer(key) ?? 0n;
  if (value <= 0n || value > most)
    spec.check.invalid(spec.at(key), goAny(value), `must be positive and less than ${most}`);
}

/** The API server itself answers: there is nothing to be trusted. */
function here(spec: Fields): void {
  const bytes = bundleSize(spec);
  if (bytes > 0) {
    spec.check.invalid(spec.at('caBundle'), `${bytes} bytes`, 'local APIServices may not have a caBundle');
  }
  if (spec.isTrue('insecureSkipTLSVerify')) {
    const why = 'local APIServices may not have insecureSkipTLSVerify';
    spec.check.invalid(spec.at('insecureSkipTLSVerify'), goAny(true), why);
  }
}

function elsewhere(spec: Fields, service: Fields): void {
  for (const key of ['namespace', 'name']) {
    service.part(() => {
      if (service.text(key) === '') service.required(key);
    });
  }
  service.part(() => {
    const port = service.integer('port') ?? usualPort;
    if (port >= 1n && port <= highest.port) return;
    const why = 'port is not valid: must be between 1 and 65535, inclusive';
    service.check.invalid(service.at('port'), goAny(port), why, 'builtin/port');
  });
  if (spec.isTrue('insecureSkipTLSVerify') && bundleSize(spec) > 0) {
    spec.check.invalid(spec.at('insecureSkipTLSVerify'), goAny(true), 'may not be true if caBundle is present');
  }
}

function bundleSize(spec: Fields): number {
  const decoded = decodeBase64(utf8(spec.text('caBundle')));
  return 'bytes' in decoded ? decoded.bytes.length : 0;
}
