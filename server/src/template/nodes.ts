/** The syntax tree of Go's text/template, and how it is printed in error messages. */
import { quote } from '../gostd/quote.ts';
import type { From, Place } from './from.ts';

interface At {
  /** Where Go says that it is, in characters from the start of the file. */
  readonly pos: number;
  readonly end: number;
}

export interface TextNode extends At {
  readonly kind: 'text';
  readonly text: string;
}

export interface ActionNode extends At {
  readonly kind: 'action';
  readonly pipe: PipeNode;
  /** The whole action with its delimiters. */
  readonly start: number;
}

export interface BranchNode extends At {
  readonly kind: 'if' | 'with' | 'range';
  readonly pipe: PipeNode;
  readonly list: ListNode;
  readonly elseList: ListNode | undefined;
  /** The action that opens it, with its delimiters. */
  readonly start: number;
}

export interface TemplateNode extends At {
  readonly kind: 'template';
  readonly name: string;
  /** Where the name is written, with its quotes. */
  readonly nameEnd: number;
  readonly pipe: PipeNode | undefined;
  readonly start: number;
}

export interface JumpNode extends At {
  readonly kind: 'break' | 'continue';
}

export interface CommentNode extends At {
  readonly kind: 'comment';
  readonly text: string;
}

export type Statement = TextNode | ActionNode | BranchNode | TemplateNode | JumpNode | CommentNode;

export interface ListNode extends At {
  readonly kind: 'list';
  readonly nodes: Statement[];
}

export interface PipeNode extends At {
  readonly kind: 'pipe';
  readonly declared: readonly VariableNode[];
  /** Whether the variables are assigned to instead of declared. */
  readonly isAssign: boolean;
  readonly commands: readonly CommandNode[];
  /** Whether it could not be read to its end. */
  readonly isBroken: boolean;
}

export interface CommandNode extends At {
  readonly kind: 'command';
  readonly args: readonly Operand[];
}

export interface IdentifierNode extends At {
  readonly kind: 'identifier';
  readonly name: string;
}

export interface FieldNode extends At {
  readonly kind: 'field';
  readonly names: readonly string[];
}

export interface VariableNode extends At {
  readonly kind: 'variable';
  /** The variable with its dollar sign, and the fields after it. */
  readonly names: readonly string[];
}

export interface ChainNode extends At {
  readonly kind: 'chain';
  readonly of: Operand;
  readonly names: readonly string[];
}

export interface WordNode extends At {
  readonly kind: 'dot' | 'nil';
}

export interface BoolNode extends At {
  readonly kind: 'bool';
  readonly isTrue: boolean;
}

export interface NumberNode extends At {
  readonly kind: 'number';
  readonly text: string;
  readonly int: bigint | undefined;
  readonly float: number | undefined;
  /** Whether it is an int as an argument for `any`; else a float64, or too large. */
  readonly ideal: 'int' | 'float' | 'overflow';
}

export interface StringNode extends At {
  readonly kind: 'string';
  readonly quoted: string;
  readonly text: string;
}

export type Operand =
  | PipeNode
  | IdentifierNode
  | FieldNode
  | VariableNode
  | ChainNode
  | WordNode
  | BoolNode
  | NumberNode
  | StringNode;

export type Node = Statement | ListNode | CommandNode | Operand;

/** A named template: a file, or a `define` in it. */
export interface Tree {
  readonly name: string;
  /** Of a text that is a value itself (`tpl`): where it comes from, and the call that runs it. */
  readonly within?: { readonly from: From; readonly place: Place | undefined } | undefined;
  /** The name of the file that it is written in, as messages say it. */
  readonly file: string;
  /** What places call the file. */
  readonly id: string;
  readonly text: string;
  readonly root: ListNode;
}

/** A node as Go prints it, which is not always as it was written. */
export function printNode(node: Node): string {
  switch (node.kind) {
    case 'text':
      return node.text;
    case 'comment':
      return `{{${node.text}}}`;
    case 'action':
      return `{{${printNode(node.pipe)}}}`;
    case 'break':
    case 'continue':
      return `{{${node.kind}}}`;
    case 'template':
      return `{{template ${quote(node.name)}${node.pipe ? ` ${printNode(node.pipe)}` : ''}}}`;
    case 'list':
      return node.nodes.map(printNode).join('');
    case 'if':
    case 'with':
    case 'range':
      return printBranch(node);
    default:
      return printOperand(node);
  }
}

function printBranch({ kind, pipe, list, elseList }: BranchNode): string {
  const other = elseList ? `{{else}}${printNode(elseList)}` : '';
  return `{{${kind} ${printNode(pipe)}}}${printNode(list)}${other}{{end}}`;
}

function printOperand(node: CommandNode | Operand): string {
  switch (node.kind) {
    case 'pipe':
      return printPipe(node);
    case 'command':
      return node.args.map(inParens).join(' ');
    case 'chain':
      return [inParens(node.of), ...node.names].join('.');
    case 'field':
      return node.names.map((name) => `.${name}`).join('');
    case 'variable':
      return node.names.join('.');
    case 'identifier':
      return node.name;
    case 'dot':
      return '.';
    case 'nil':
      return 'nil';
    case 'bool':
      return String(node.isTrue);
    case 'number':
      return node.text;
    case 'string':
      return node.quoted;
  }
}

function inParens(node: Operand): string {
  return node.kind === 'pipe' ? `(${printNode(node)})` : printNode(node);
}

function printPipe({ declared, isAssign, commands }: PipeNode): string {
  const names = declared.map(printNode).join(', ');
  return `${names === '' ? '' : `${names} ${isAssign ? '=' : ':='} `}${commands.map(printNode).join(' | ')}`;
}

/** Whether nothing but blanks and comments is in it: then it defines nothing. */
export function isEmptyList(list: ListNode): boolean {
  return list.nodes.every((node) => node.kind === 'comment' || (node.kind === 'text' && isBlank(node.text)));
}

/** Go's unicode.IsSpace, which knows fewer blanks than JavaScript does. */
function isBlank(text: string): boolean {
  return /^[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*$/.test(text);
}
