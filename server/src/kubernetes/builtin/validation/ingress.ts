import { byteLength } from '../../../gostd/bytes.ts';
import { child, type FieldPath, index } from '../../field.ts';
import { goNil, goString } from '../../goValue.ts';
import { dns1035Label, dns1123Label, dns1123Subdomain, pathSegment } from '../../names.ts';
import type { Fields } from './check.ts';
import { domainPrefixedPath, portName, portNumber, sloppyAddress, wildcardSubdomain } from './texts.ts';

const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix'];
const parts = ['//', '/./', '/../', '%2f', '%2F'];
const ends = ['/..', '/.'];
const classAnnotation = 'kubernetes.io/ingress.class';

export function validateIngress(object: Fields): void {
  const spec = object.object('spec');
  const { check } = object;
  spec.part(() => {
    if (spec.list('rules').length > 0 || spec.has('defaultBackend')) return;
    const why = 'either `defaultBackend` or `rules` must be specified';
    const type = '[]networking.IngressRule';
    check.invalid(spec.spot, spec.has('rules') ? { go: 'slice', type, items: [] } : goNil(type), why);
  });
  spec.within('defaultBackend', validateBackend);
  spec.each('rules', validateRule);
  spec.each('tls', validateTls);
  spec.part(() => {
    const name = spec.pointed('ingressClassName');
    if (name === undefined) return;
    spec.wrong(spec.at('ingressClassName'), name, dns1123Subdomain(name), 'builtin/name');
    const annotation = object.object('metadata').textMap('annotations')?.get(classAnnotation);
    if (annotation === undefined || annotation === name) return;
    const spot = child(child(object.spot, 'annotations', ['metadata', 'annotations']), classAnnotation);
    check.invalid(spot, annotation, 'must match `ingressClassName` when both are specified');
  });
}

function validateRule(rule: Fields): void {
  const host = rule.text('host');
  const spot = rule.at('host');
  if (host !== '') {
    if (sloppyAddress(host)) rule.check.invalid(spot, host, 'must be a DNS name, not an IP address');
    rule.wrong(spot, host, host.includes('*') ? wildcardSubdomain(host) : dns1123Subdomain(host), 'builtin/name');
  }
  rule.within('http', (http) => {
    if (http.list('paths').length === 0) http.required('paths');
    http.each('paths', validatePath);
  });
}

function validatePath(path: Fields): void {
  const { check } = path;
  const [type, text] = [path.pointed('pathType'), path.text('path')];
  if (type === undefined) {
    path.required('pathType', 'pathType must be specified');
    return;
  }
  path.part(() => pathText(path, type, text));
  path.part(() => {
    if (!pathTypes.includes(type)) check.unsupported(path.at('pathType'), goString(type), pathTypes);
  });
  const backend = path.object('backend');
  backend.part(() => validateBackend(backend));
}

function pathText(path: Fields, type: string, text: string): void {
  const wrong = (why: string) => path.check.invalid(path.at('path'), text, why);
  if (type === 'ImplementationSpecific') {
    if (text !== '' && !text.startsWith('/')) wrong('must be an absolute path');
    return;
  }
  if (type !== 'Exact' && type !== 'Prefix') return;
  if (!text.startsWith('/')) wrong('must be an absolute path');
  for (const part of parts) if (text.includes(part)) wrong(`must not contain '${part}'`);
  for (const end of ends) if (text.endsWith(end)) wrong(`cannot end with '${end}'`);
}

function validateBackend(backend: Fields): void {
  const { check } = backend;
  const [resource, service] = [backend.pointer('resource'), backend.pointer('service')];
  if (resource && service) {
    check.invalid(backend.spot, '', 'cannot set both resource and service backends', 'builtin/one-of');
    return;
  }
  if (resource) {
    validateReference(resource);
    return;
  }
  if (!service) {
    check.invalid(backend.spot, '', 'resource or service backend is required', 'builtin/one-of');
    return;
  }
  const name = service.text('name');
  const { ingressServiceNames } = check.version.builtin;
  if (name === '') service.required('name');
  else {
    service.wrong(
      service.at('name'),
      name,
      ingressServiceNames === 'labels' ? dns1123Label(name) : dns1035Label(name),
      'builtin/name',
    );
  }
  servicePort(backend, service.object('port'));
}

function servicePort(backend: Fields, port: Fields): void {
  const { check } = backend;
  const [name, number] = [port.text('name'), port.integer('number') ?? 0n];
  if (name !== '' && number !== 0n) {
    check.invalid(backend.spot, '', 'cannot set both port name & port number', 'builtin/one-of');
  } else if (name !== '') port.wrong(port.at('name'), name, portName(name), 'builtin/port');
  else if (number !== 0n) port.wrong(port.at('number'), number, portNumber(number), 'builtin/port');
  else
    check.required(
      { ...backend.spot, steps: [...backend.spot.steps, 'service', 'port'] },
      'port name or number is required',
    );
}

function validateReference(reference: Fields): void {
  const group = reference.pointed('apiGroup');
  if (group !== undefined) reference.wrong(reference.at('apiGroup'), group, dns1123Subdomain(group), 'builtin/name');
  for (const key of ['kind', 'name']) {
    const text = reference.text(key);
    const why = reference.version.omitsRepeatedField ? '' : `${key} is required`;
    if (text === '') reference.required(key, why);
    else reference.wrong(reference.at(key), text, pathSegment(text, false), 'builtin/name');
  }
}

function validateTls(tls: Fields): void {
  for (const [i, host] of tls.texts('hosts').entries()) {
    const spot: FieldPath = index(tls.at('hosts'), i);
    tls.wrong(spot, host, host.includes('*') ? wildcardSubdomain(host) : dns1123Subdomain(host), 'builtin/name');
  }
  const secret = tls.text('secretName');
  if (secret !== '') tls.wrong(tls.at('secretName'), secret, dns1123Subdomain(secret), 'builtin/name');
}

const longestController = 250;
const scopes = ['Cluster', 'Namespace'];

export function validateIngressClass(object: Fields): void {
  const spec = object.object('spec');
  const { check } = object;
  spec.part(() => {
    const [controller, spot] = [spec.text('controller'), spec.at('controller')];
    if (byteLength(controller) > longestController) check.tooLong(spot, longestController);
    if (controller === '') return check.required(spot);
    for (const [text, why] of domainPrefixedPath(controller)) check.invalid(spot, text, why, 'builtin/name');
  });
  spec.within('parameters', (parameters) => {
    validateReference(parameters);
    const [scope, namespace] = [parameters.pointed('scope') ?? 'Cluster', parameters.pointed('namespace')];
    if (!scopes.includes(scope)) return check.unsupported(parameters.at('scope'), goString(scope), scopes);
    if (scope === 'Cluster') {
      const why = "`parameters.scope` is set to 'Cluster'";
      if (namespace !== undefined) check.forbidden(parameters.at('namespace'), why);
    } else if (namespace === undefined) {
      parameters.required('namespace', "`parameters.scope` is set to 'Namespace'");
    } else parameters.wrong(parameters.at('namespace'), namespace, dns1123Label(namespace), 'builtin/name');
  });
}
