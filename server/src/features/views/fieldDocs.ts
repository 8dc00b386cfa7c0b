import { isList, isMap, isString, type Path } from '../../base/value.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import { inDocument } from '../../workspace/manifest.ts';
import { rulePlace } from '../../workspace/rulePlace.ts';
import {
  propertyNames,
  requiredNames,
  type SchemaNode,
  stepInto,
  textOf,
  typeLabel,
} from '../../workspace/schemaNode.ts';
import { budgetShare, ruleCost } from '../words/costs.ts';
import { constraints } from '../words/explain.ts';
import { blocks, code, inCell, list, type Markdown, md, own, table, words } from '../words/markdown.ts';

/** A field as documentation tells of it, with what is below. */
export interface FieldDoc {
  readonly name: string;
  /** From the object, such as `spec.ports[].name`; '' for the object itself. */
  readonly path: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
  /** Defaults, choices and limits, each in a few words. */
  readonly constraints: readonly Markdown[];
  readonly rules: readonly RuleDoc[];
  readonly fields: readonly FieldDoc[];
}

export interface RuleDoc {
  readonly rule: string;
  readonly message: string;
  /** Of what one rule may cost, in percent; undefined where it does not compile. */
  readonly share: number | undefined;
}

export interface DocOptions {
  /** Whether the fields of fields are told of, and theirs. */
  readonly deep: boolean;
  readonly kubernetes: KubernetesVersion;
}

/** How many fields one kind is documented with: aliases can make more of a small file than anybody reads. */
const mostFields = 20_000;

/** What a node is and holds. `names` are those from the object to it. */
export function fieldDoc(
  node: SchemaNode,
  { path, name, required }: Pick<FieldDoc, 'path' | 'name' | 'required'>,
  options: DocOptions,
): FieldDoc {
  let left = mostFields;
  const docOf = (one: SchemaNode, where: Pick<FieldDoc, 'path' | 'name' | 'required'>, levels: number): FieldDoc => {
    const { node: parent, suffix } = inside(one);
    const below = where.path + suffix;
    const needed = requiredNames(parent);
    const isRoot = where.path === '';
    const names = levels === 0 ? [] : propertyNames(parent, isRoot).slice(0, left);
    left -= names.length;
    return {
      ...where,
      type: typeLabel(one),
      description: textOf(one, 'description').trim(),
      constraints: constraints(one),
      rules: rulesOf(one, options.kubernetes),
      fields: names.flatMap((child) => {
        const field = stepInto(parent, child, isRoot);
        const at = { name: child, path: below === '' ? child : `${below}.${child}`, required: needed.has(child) };
        return field ? [docOf(field, at, levels - 1)] : [];
      }),
    };
  };
  return docOf(node, { path, name, required }, options.deep ? Number.POSITIVE_INFINITY : 1);
}

/** What the items of a list, or the values of a map, are at last. */
export function inside(node: SchemaNode): { readonly node: SchemaNode; readonly suffix: string } {
  const item = itemOf(node);
  if (!item) return { node, suffix: '' };
  const { node: deepest, suffix } = inside(item.node);
  return { node: deepest, suffix: `${item.suffix}${suffix}` };
}

/** What the items of a list, or the values of a map, are; undefined for anything else. */
export function itemOf(node: SchemaNode): { readonly node: SchemaNode; readonly suffix: string } | undefined {
  const isArray = node.schema.has('items');
  const isOpen = !node.schema.has('properties') && isMap(node.schema.get('additionalProperties'));
  const below = isArray ? stepInto(node, 0, false) : isOpen ? stepInto(node, '', false) : undefined;
  return below && { node: below, suffix: isArray ? '[]' : '[*]' };
}

function rulesOf(node: SchemaNode, kubernetes: KubernetesVersion): RuleDoc[] {
  return writtenRules(node).map(({ rule, message, path }) => {
    return { rule: rule.replace(/\s+/g, ' ').trim(), message, share: shareOfRule(node, path, kubernetes) };
  });
}

/** A rule as it is written. */
export interface WrittenRule {
  readonly rule: string;
  readonly message: string;
  /** In its schema. */
  readonly path: Path;
}

export function writtenRules({ schema }: SchemaNode): WrittenRule[] {
  const list = schema.get('x-kubernetes-validations');
  return (isList(list) ? list : []).flatMap((one, i) => {
    const [rule, message] = isMap(one) ? [one.get('rule'), one.get('message')] : [];
    const path = ['x-kubernetes-validations', i, 'rule'];
    return isString(rule) ? [{ rule, message: isString(message) ? message : '', path }] : [];
  });
}

/** Of what one rule may cost, in percent; undefined where it does not compile. */
export function shareOfRule({ path, definition }: SchemaNode, rule: Path, kubernetes: KubernetesVersion) {
  const at = path && definition && inDocument(definition.manifest, [...path, ...rule]);
  const cost = at && ruleCost(rulePlace(definition.manifest, at, kubernetes));
  return cost && Math.round(budgetShare(cost.all) * 100) / 100;
}

// Pages

/** A page about a kind in one of its versions: `head` says what the kind is, a table what each field is. */
export function kindPage(head: Markdown, doc: FieldDoc): Markdown {
  const rows = flat(doc).filter(({ path }) => !commonFields.test(path));
  const fields = rows.length > 0 ? [table(['field', 'type', ''], rows.map(row))] : [];
  return blocks(head, ...ruleSection(doc), ...fields);
}

/** What every object has says nothing about a kind. */
const commonFields = /^(?:apiVersion|kind|metadata)(?:$|[.[])/;

function flat({ fields }: FieldDoc): FieldDoc[] {
  return fields.flatMap((field) => [field, ...flat(field)]);
}

function row({ path, type, required, description, constraints: limits, rules }: FieldDoc): Markdown[] {
  const parts = [...(required ? [own('**required**')] : []), words(description), ...limits, ...rules.map(ruleText)];
  return [code(path), code(type), inCell(parts)];
}

function ruleSection({ rules }: FieldDoc): Markdown[] {
  return rules.length === 0 ? [] : [md`Rules:\n${list(rules.map(ruleText))}`];
}

/** A rule with what it says when it is broken, and what it may cost. */
export function ruleText({ rule, message, share }: RuleDoc): Markdown {
  const cost = share === undefined ? '' : ` (${share < 1 ? 'under 1' : Math.round(share)}% of the cost budget)`;
  return md`${code(rule)}${message === '' ? '' : md`: ${words(message)}`}${cost}`;
}
