import type { Fields } from './check.ts';
import { validateNotedAppArmor, validateOwnAnnotations, validateProfiles } from './podAnnotations.ts';
import { validatePodSpec, validatePodTemplate } from './podSpec.ts';

export function validatePod(object: Fields): void {
  const [meta, spec] = [object.object('metadata'), object.object('spec')];
  const { check } = object;
  meta.part(() => validateOwnAnnotations(meta, meta.at('annotations'), spec));
  meta.part(() => validateNotedAppArmor(meta, spec));
  const name = check.known(() => meta.text('name')) ?? '';
  spec.part(() => validatePodSpec(spec, { isPod: true, name }));
  spec.part(() => validateProfiles(meta, spec, true));
  spec.part(() => {
    if (spec.list('ephemeralContainers').length > 0) {
      check.forbidden(spec.at('ephemeralContainers'), 'cannot be set on create');
    }
    if (spec.text('nodeName') !== '' && spec.list('schedulingGates').length > 0) {
      check.forbidden(spec.at('nodeName'), 'cannot be set until all schedulingGates have been cleared');
    }
  });
}

export function validatePodTemplateObject(object: Fields): void {
  const template = object.object('template');
  template.part(() => validatePodTemplate(template));
}
