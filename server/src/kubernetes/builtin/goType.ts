import { bug } from '../../base/bug.ts';

/** A Go type of the API, read from its text (`file.ts`). `name` is what errors call it. */
export type GoType =
  | { readonly is: 'text'; readonly name: string; readonly enum?: string }
  | { readonly is: 'flag' | 'float' | 'bytes'; readonly name: string }
  | { readonly is: 'integer'; readonly name: string; readonly bits: 32 | 64 }
  | { readonly is: 'list' | 'map'; readonly name: string; readonly of: GoType }
  | { readonly is: 'object'; readonly id: string }
  | { readonly is: 'own'; readonly name: string; readonly what: OwnType };

/** Types that decode themselves. */
export type OwnType = 'time' | 'microTime' | 'duration' | 'raw' | 'quantity' | 'intOrString';

const ownNames: Readonly<Record<OwnType, string>> = {
  time: 'v1.Time',
  microTime: 'v1.MicroTime',
  duration: 'v1.Duration',
  raw: 'runtime.RawExtension',
  quantity: 'resource.Quantity',
  intOrString: 'intstr.IntOrString',
};

/** `nameOf` gives the Go name of an object. */
export function readGoType(text: string, nameOf: (id: string) => string): GoType {
  const named = /^(?!\[\]|\{\})([^=({#!]+)(?:\(([^)]*)\))?=(.*)$/.exec(text);
  if (!named) return unnamed(text, undefined, nameOf);
  const [, name = '', values, of = ''] = named;
  const type = unnamed(of, name, nameOf);
  return type.is === 'text' && values !== undefined ? { ...type, enum: values } : type;
}

function unnamed(text: string, name: string | undefined, nameOf: (id: string) => string): GoType {
  if (text.startsWith('#')) return { is: 'object', id: text.slice(1) };
  if (text.startsWith('!')) {
    const what = text.slice(1) as OwnType;
    return { is: 'own', what, name: ownNames[what] };
  }
  if (text.startsWith('[]') || text.startsWith('{}')) {
    const of = readGoType(text.slice(2), nameOf);
    const inner = of.is === 'object' ? nameOf(of.id) : of.name;
    if (text.startsWith('[]')) return { is: 'list', of, name: name ?? `[]${inner}` };
    return { is: 'map', of, name: name ?? `map[string]${inner}` };
  }
  return plain(text, name ?? text);
}

function plain(text: string, name: string): GoType {
  switch (text) {
    case 'string':
      return { is: 'text', name };
    case 'bool':
      return { is: 'flag', name };
    case 'int32':
      return { is: 'integer', name, bits: 32 };
    case 'int64':
      return { is: 'integer', name, bits: 64 };
    case 'float64':
      return { is: 'float', name };
    case 'bytes':
      return { is: 'bytes', name: name === 'bytes' ? '[]uint8' : name };
    default:
      bug(`a Go type that is not known: ${text}`);
      return { is: 'own', what: 'raw', name };
  }
}
