import { bashCompletion } from '../completion/bash.ts';
import { fishCompletion } from '../completion/fish.ts';
import { powershellCompletion } from '../completion/powershell.ts';
import { type OfferedCommand, offered } from '../completion/shape.ts';
import { zshCompletion } from '../completion/zsh.ts';
import { type Command, command } from '../table/command.ts';
import { oneOf } from '../table/option.ts';
import { emit } from '../terminal.ts';

const writers = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
  powershell: powershellCompletion,
} satisfies Readonly<Record<string, (commands: readonly OfferedCommand[]) => string>>;

const shells = Object.keys(writers) as readonly (keyof typeof writers)[];

/** It completes itself as well: `others` are all commands but this one. */
export function completionCommand(others: readonly Command[]): Command {
  const own: Command = command({
    name: 'completion',
    about: 'prints what makes a shell complete commands, options and their values',
    inShort: `prints what makes a shell complete commands, options and their values: ${shells.join(', ')}`,
    takes: shells.join('|'),
    explains: `Prints a script that makes a shell complete kube-crd. To have it in every new shell:

bash: add "source <(kube-crd completion bash)" to ~/.bashrc
zsh: kube-crd completion zsh > "\${fpath[1]}/_kube-crd"
fish: kube-crd completion fish > ~/.config/fish/completions/kube-crd.fish
powershell: add "kube-crd completion powershell | Out-String | Invoke-Expression" to $PROFILE`,
    options: {},
    examples: ['kube-crd completion bash'],
    completes: shells,
    run: (_, [shell, ...more]) => {
      if (shell === undefined || more.length > 0) throw new Error(`completion takes one of ${shells.join(', ')}`);
      emit(writers[oneOf('the shell', shells, shell)](offered([...others, own])));
      return 0;
    },
  });
  return own;
}
