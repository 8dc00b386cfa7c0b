import type { Range } from '../../base/text.ts';

/**
 * A Go file as far as API types need it: its imports, types, constants and comments, with offsets into its text. What is
 * half typed is there as far as it can be read; function bodies are skipped.
 */
export interface GoFile {
  readonly text: string;
  /** `start` is where the word `package` stands. */
  readonly package: Name & { readonly start: number; readonly doc: CommentGroup | undefined };
  readonly imports: readonly GoImport[];
  readonly types: readonly TypeDeclaration[];
  readonly constants: readonly ConstantDeclaration[];
  readonly methods: readonly Method[];
  /** Everything at the top of the file, in its order. */
  readonly declarations: readonly Declaration[];
  /** All comments outside of function bodies, in the order of the text. */
  readonly comments: readonly CommentGroup[];
}

/** What Go's own parser says of a text that is not Go. */
export interface SyntaxFault {
  /** In Go's words. */
  readonly message: string;
  readonly at: number;
}

export interface Name {
  readonly name: string;
  readonly range: Range;
}

/** `type …`, `const (…)`, a function: from its keyword to its end. */
export interface Declaration {
  readonly keyword: string;
  readonly range: Range;
  readonly doc: CommentGroup | undefined;
  /** It has parentheses. */
  readonly isGroup: boolean;
  readonly types: readonly TypeDeclaration[];
}

/** Comments without an empty line or a token between them, as go/ast groups them. */
export interface CommentGroup {
  readonly range: Range;
  readonly lines: readonly Comment[];
}

/** One `//` line, or a whole `/* … *\/`. `text` is as written, with its slashes. */
export interface Comment {
  readonly range: Range;
  readonly text: string;
}

export interface GoImport {
  /** The name in the file, where one is given: `metav1`, `.` or `_`. */
  readonly name: string | undefined;
  readonly path: string;
  readonly range: Range;
}

export interface TypeDeclaration {
  readonly name: string;
  readonly nameRange: Range;
  /** From `type`, or the name in a group, to the end of the type. */
  readonly range: Range;
  /** `type A = B`. */
  readonly isAlias: boolean;
  readonly parameters: readonly string[];
  readonly type: TypeExpression;
  /** Its own comment in a `type (…)` group. */
  readonly doc: CommentGroup | undefined;
  /** The comment of the word `type` before it, unless that opens a group. */
  readonly groupDoc: CommentGroup | undefined;
}

export interface ConstantDeclaration {
  readonly names: readonly string[];
  readonly type: TypeExpression | undefined;
  /** The expressions as written. */
  readonly values: readonly string[];
  readonly range: Range;
}

export interface Method {
  readonly name: string;
  /** The receiver's type without pointer and parameters. */
  readonly receiver: string;
  readonly isPointer: boolean;
  /** What is behind the name, up to the body, with single spaces. */
  readonly signature: string;
}

export type TypeExpression = { readonly range: Range } & (
  | { readonly kind: 'name'; readonly name: string }
  /** `metav1.Time` */
  | { readonly kind: 'selected'; readonly package: string; readonly name: string }
  | { readonly kind: 'pointer'; readonly to: TypeExpression }
  /** A slice, or with a length an array. */
  | { readonly kind: 'list'; readonly of: TypeExpression; readonly length: string | undefined }
  | { readonly kind: 'map'; readonly key: TypeExpression; readonly of: TypeExpression }
  | { readonly kind: 'struct'; readonly fields: readonly Field[] }
  | { readonly kind: 'interface' }
  | { readonly kind: 'generic'; readonly of: TypeExpression; readonly arguments: readonly TypeExpression[] }
  | { readonly kind: 'parenthesized'; readonly of: TypeExpression }
  /** Functions, channels and what cannot be read. */
  | { readonly kind: 'other' }
);

export interface Field {
  /** Empty for an embedded one. */
  readonly names: readonly Name[];
  readonly type: TypeExpression;
  readonly tag: { readonly text: string; readonly range: Range } | undefined;
  readonly doc: CommentGroup | undefined;
  /** The comment behind it on its line. */
  readonly lineComment: CommentGroup | undefined;
  readonly range: Range;
}
