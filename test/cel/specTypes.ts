import * as T from '../../server/src/cel/types.ts';

/** A type as the data of the CEL specification writes it. */
export type ProtoType = Readonly<Record<string, unknown>>;

const primitives: Readonly<Record<string, T.CelType>> = {
  BOOL: T.boolType,
  INT64: T.intType,
  UINT64: T.uintType,
  DOUBLE: T.doubleType,
  STRING: T.stringType,
  BYTES: T.bytesType,
  ANY: T.anyType,
  TIMESTAMP: T.timestampType,
  DURATION: T.durationType,
};

/** A declared type; undefined for protobuf messages. */
export function typeOf(proto: ProtoType): T.CelType | undefined {
  const [[kind, value]] = Object.entries(proto) as [[string, never]];
  const inner = (one: ProtoType) => typeOf(one);
  switch (kind) {
    case 'primitive':
    case 'wellKnown':
      return primitives[value];
    case 'wrapper':
      return T.wrapperOf(primitives[value]!);
    case 'dyn':
      return T.dynType;
    case 'null':
      return T.nullType;
    case 'listType': {
      const element = inner((value as { elemType: ProtoType }).elemType);
      return element && T.listOf(element);
    }
    case 'mapType': {
      const { keyType, valueType } = value as { keyType: ProtoType; valueType: ProtoType };
      const [k, v] = [inner(keyType), inner(valueType)];
      return k && v && T.mapOf(k, v);
    }
    default:
      return undefined;
  }
}
