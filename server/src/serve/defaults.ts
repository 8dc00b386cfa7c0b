import { isJsonMap, type JsonMap, type JsonValue, listAt } from './json.ts';

// What the server fills in where it decides who is asked about a request. Other built-in kinds are kept as they were sent.

/** An object of the group `admissionregistration.k8s.io` with its defaults. */
export function withDefaults(object: JsonMap): JsonMap {
  switch (object.kind) {
    case 'ValidatingWebhookConfiguration':
    case 'MutatingWebhookConfiguration': {
      const more = object.kind === 'MutatingWebhookConfiguration' ? { reinvocationPolicy: 'Never' } : {};
      return listAt(object, 'webhooks').length === 0
        ? object
        : { ...object, webhooks: listAt(object, 'webhooks').map((hook) => withHookDefaults(hook, more)) };
    }
    case 'ValidatingAdmissionPolicy':
      return withSpec({ ...object, status: object.status ?? {} }, { failurePolicy: 'Fail' }, 'matchConstraints');
    case 'MutatingAdmissionPolicy':
      return withSpec(object, { failurePolicy: 'Fail' }, 'matchConstraints');
    case 'ValidatingAdmissionPolicyBinding':
    case 'MutatingAdmissionPolicyBinding':
      return withSpec(object, {}, 'matchResources');
    default:
      return object;
  }
}

const ofMatching: JsonMap = { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} };

function withHookDefaults(hook: JsonValue, more: JsonMap): JsonValue {
  if (!isJsonMap(hook)) return hook;
  const { rules, clientConfig } = hook;
  const service = isJsonMap(clientConfig) ? clientConfig.service : undefined;
  return {
    ...{ failurePolicy: 'Fail', timeoutSeconds: 10, ...ofMatching, ...more, ...hook },
    ...(Array.isArray(rules) && { rules: rules.map(withScope) }),
    ...(isJsonMap(clientConfig) &&
      isJsonMap(service) && { clientConfig: { ...clientConfig, service: { port: 443, ...service } } }),
  };
}

function withSpec(object: JsonMap, more: JsonMap, matching: string): JsonMap {
  const { spec } = object;
  if (!isJsonMap(spec)) return object;
  const match = spec[matching];
  const rules = (name: string) => {
    const all = isJsonMap(match) ? match[name] : undefined;
    return Array.isArray(all) ? { [name]: all.map(withScope) } : {};
  };
  const matched = isJsonMap(match)
    ? { [matching]: { ...ofMatching, ...match, ...rules('resourceRules'), ...rules('excludeResourceRules') } }
    : {};
  return { ...object, spec: { ...more, ...spec, ...matched } };
}

const withScope = (rule: JsonValue): JsonValue => (isJsonMap(rule) ? { scope: '*', ...rule } : rule);
