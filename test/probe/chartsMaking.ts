import { isList, isMap, type Value, type ValueMap } from '../../server/src/base/value.ts';
import type { ChartFolder } from '../../server/src/workspace/charts/chartFolder.ts';
import type { Snapshot } from '../../server/src/workspace/snapshot.ts';
import { goYaml } from '../../server/src/yaml/goYaml.ts';
import { parseDocument } from '../../server/src/yaml/parse.ts';
import { valueOf } from '../../server/src/yaml/value.ts';
import { chartOf } from '../support/charts.ts';
import type { Random } from '../support/random.ts';
import { snapshotOf } from '../support/workspace.ts';
import { makeWorld } from './world.ts';

/** Charts of the resources of the world: parts of them are written in templates, others come from values in many ways. */
export function generatedCharts(random: Random, count: number): (readonly [Snapshot, ChartFolder])[] {
  const { crds, resources } = makeWorld({ kinds: count, resourcesEach: 1, rulesEach: 0 });
  return crds.slice(0, count).map((crd, i) => {
    const resource = valueOf(parseDocument(resources[i]!.text));
    return [snapshotOf([crd]), new Maker(random).chart(resource as ValueMap, `file:///made${i}`)];
  });
}

/** How a value gets from values.yaml into one line of a template: `V` is where it is, `M` the map around it, `K` its key. */
const ways: readonly string[] = [
  '{{ V }}',
  '{{ V | default "other" }}',
  '{{ default "other" V }}',
  '{{ V | toJson }}',
  '{{ V | toYaml }}',
  '{{ printf "%v" V }}',
  '{{ include "made.value" (dict "value" V) }}',
  '{{ include "made.value" (dict "value" V) | trim }}',
  '{{ template "made.value" (dict "value" V) }}',
  '{{ tpl (toString V) $ }}',
  '{{ tpl "{{ V }}" $ }}',
  '{{ ternary V "other" true }}',
  '{{ coalesce nil V }}',
  '{{ index M "K" }}',
  '{{ get M "K" }}',
  '{{ pluck "K" M | first }}',
  '{{ with M }}{{ .K }}{{ end }}',
  '{{ $made := V }}{{ $made }}',
  '{{ (merge (dict) M).K }}',
  '{{ (deepCopy M).K }}',
  '{{ dig "K" "other" (M | toJson | fromJson) }}',
  '{{ (M | toYaml | fromYaml).K }}',
  '{{ first (list V 1) }}',
  '{{ required "wanted" V }}',
  '{{ range list V }}{{ . }}{{ end }}',
  '{{ V | toString }}',
  '{{ join "," (list V) }}',
];

/** The same for a text. */
const textWays: readonly string[] = [
  ...ways,
  '{{ V | quote }}',
  '{{ V | squote }}',
  '"{{ V }}"',
  '{{ printf "%s" V | quote }}',
  '{{ V | trimSuffix "-" | quote }}',
  '{{ V | trunc 63 | quote }}',
  '{{ V | replace "+" "_" }}',
];

/** The same for what takes several lines, `N` deep. */
const blockWays: readonly string[] = [
  '\n{{ toYaml V | indent N }}',
  '\n  {{- toYaml V | nindent N }}',
  ' {{ V | toJson }}',
  '\n  {{- V | toPrettyJson | nindent N }}',
  '\n  {{- tpl (toYaml V) $ | nindent N }}',
  '\n  {{- with V }}\n  {{- toYaml . | nindent N }}\n  {{- end }}',
  '\n  {{- include "made.block" V | nindent N }}',
  '\n  {{- V | toYaml | fromYaml | toYaml | nindent N }}',
  '\n  {{- merge (dict) V | toYaml | nindent N }}',
  '\n  {{- deepCopy V | toYaml | trim | nindent N }}',
  '\n  {{- omit V "none" | toYaml | nindent N }}',
  '\n  {{- range $key, $value := V }}\n  PAD{{ $key }}: {{ $value | toJson }}\n  {{- end }}',
  '\n  {{- range $key, $value := V }}\n  PAD{{ $key }}:\n  {{- toYaml $value | nindent INNER }}\n  {{- end }}',
];

const isOfMaps = (way: string) => /fromYaml|merge|omit|\$key/.test(way);

class Maker {
  private readonly random: Random;
  private readonly values = new Map<string, Value>();
  private helpers =
    '{{- define "made.value" -}}\n{{ .value }}\n{{- end -}}\n{{- define "made.block" -}}\n{{ toYaml . }}\n{{- end -}}\n';
  private count = 0;

  constructor(random: Random) {
    this.random = random;
  }

  chart(resource: ValueMap, root: string): ChartFolder {
    const template = this.entries(resource, 0);
    return chartOf(
      {
        'Chart.yaml': 'apiVersion: v2\nname: made\nversion: 1.0.0\n',
        'values.yaml': goYaml(this.values),
        'templates/_helpers.tpl': this.helpers,
        'templates/resource.yaml': template,
      },
      root,
    );
  }

  private entries(map: ValueMap, depth: number): string {
    return [...map].map(([key, value]) => `${pad(depth)}${key}:${this.value(key, value, depth)}\n`).join('');
  }

  private value(key: string, value: Value, depth: number): string {
    // What says which kind it is stays as it is.
    const isFixed = depth === 0 || (depth === 1 && key === 'name');
    if (isMap(value) && value.size > 0) {
      if (!isFixed && this.random.chance(0.4)) return this.block(value, depth);
      if (!isFixed && this.random.chance(0.15)) return this.helper(value, depth);
      return `\n${this.entries(value, depth + 1).replace(/\n$/, '')}`;
    }
    if (isList(value) && value.length > 0) return this.list(value, depth);
    const isPlain = isFixed || isMap(value) || isList(value) || value === null || this.random.chance(0.35);
    return ` ${isPlain ? written(value) : this.scalar(value)}`;
  }

  private list(items: readonly Value[], depth: number): string {
    if (this.random.chance(0.5)) return this.block(items, depth);
    const inner = items.map((item) => {
      if (!isMap(item) || item.size === 0) return `${pad(depth + 1)}- ${written(item)}`;
      const text = this.entries(item, depth + 2).replace(/\n$/, '');
      return `${pad(depth + 1)}- ${text.trimStart()}`;
    });
    return `\n${inner.join('\n')}`;
  }

  private scalar(value: Value): string {
    return this.filled(this.random.pick(typeof value === 'string' ? textWays : ways), value);
  }

  private block(value: Value, depth: number): string {
    const fitting = blockWays.filter((way) => isMap(value) || !isOfMaps(way));
    const indent = String((depth + 1) * 2);
    const filled = this.filled(this.random.pick(fitting), value).replaceAll('PAD', pad(depth));
    return filled.replace(/\bN\b/, indent).replace(/\bINNER\b/, String((depth + 2) * 2));
  }

  private helper(map: ValueMap, depth: number): string {
    const name = `made.part${this.count++}`;
    this.helpers += `{{- define "${name}" -}}\n${this.entries(map, 0)}{{- end -}}\n`;
    return `\n${pad(depth + 1)}{{- include "${name}" $ | nindent ${(depth + 1) * 2} }}`;
  }

  /** Puts a value into values.yaml, and a way to it into a line. */
  private filled(way: string, value: Value): string {
    const group = `group${this.random.below(4)}`;
    const known = (this.values.get(group) ?? new Map()) as Map<string, Value>;
    const key = `value${this.count++}`;
    this.values.set(group, known.set(key, value));
    const map = `$.Values.${group}`;
    return way.replaceAll(/\bV\b/g, `${map}.${key}`).replaceAll(/\bM\b/g, map).replaceAll(/\bK\b/g, key);
  }
}

function pad(depth: number): string {
  return '  '.repeat(depth);
}

function written(value: Value): string {
  return goYaml(value).trimEnd();
}
