import * as vscode from 'vscode';
import type { Middleware } from 'vscode-languageclient';

/** More actions than one menu has. */
const mostKept = 100;

/**
 * The editor forgets the arguments of an action's command when it asks for actions anew, as it does a moment after the
 * cursor moves or a diagnostic comes, be the menu with the old ones open or not: what is chosen there then fails. A
 * command without arguments lives longer, so that each gets one of its own, which is kept for a while.
 */
export function keptCommands(): NonNullable<Middleware['provideCodeActions']> {
  const kept = new Map<string, vscode.Disposable>();
  const keep = ({ title, command, arguments: args = [] }: vscode.Command): vscode.Command => {
    const id = `kubeCrd.action ${JSON.stringify([command, args])}`;
    const known = kept.get(id);
    // The newest last.
    if (known) kept.delete(id);
    kept.set(id, known ?? vscode.commands.registerCommand(id, () => vscode.commands.executeCommand(command, ...args)));
    const [oldest] = kept;
    if (kept.size > mostKept && oldest) {
      oldest[1].dispose();
      kept.delete(oldest[0]);
    }
    return { title, command: id };
  };
  return async (document, range, context, token, next) => {
    const actions = await next(document, range, context, token);
    for (const action of actions ?? [])
      if (typeof action.command === 'object' && action.command.arguments?.length) action.command = keep(action.command);
    return actions;
  };
}
