/** A resource as kustomize prints it in errors. */

import { printJson } from '../../gostd/jsonPrint.ts';
import { goYaml } from '../../yaml/goYaml.ts';
import { asFailure, attempt, panic } from '../failure.ts';
import { printedOf, valueOfBuilt } from './built.ts';
import type { Node } from './node.ts';

export function resourceJson(node: Node | undefined): string {
  if (node === undefined) return 'null';
  try {
    return printJson(valueOfBuilt(printedOf(node)));
  } catch (error) {
    return `<${asFailure(error).message}>`;
  }
}

/** Where this fails, kustomize ends. */
export function resourceYaml(node: Node | undefined): string {
  if (node === undefined) return 'null\n';
  const built = attempt(() => printedOf(node));
  return built.failure === undefined ? goYaml(valueOfBuilt(built.value)) : panic(`fatal: ${built.failure.message}`);
}
