import { type OfferedCommand, wordsOf } from './shape.ts';

/** Where nothing is offered, PowerShell itself completes names of files. */
export function powershellCompletion(commands: readonly OfferedCommand[]): string {
  const options = commands.flatMap(({ name, options }) =>
    row(
      name,
      options.flatMap(({ names }) => names),
    ),
  );
  const values = commands.flatMap(({ name, options, completes }) => [
    ...row(name, wordsOf(completes)),
    ...options.flatMap(({ names, completes }) => names.flatMap((one) => row(`${name} ${one}`, wordsOf(completes)))),
  ]);
  return `# PowerShell completion for kube-crd: kube-crd completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName kube-crd -ScriptBlock {
  param($current, $ast, $position)
  $commands = @(${list(commands.map(({ name }) => name))})
  $options = @{
${options.join('\n')}
  }
  $values = @{
${values.join('\n')}
  }
  $words = @($ast.CommandElements | Where-Object { $_.Extent.EndOffset -lt $position } | ForEach-Object { $_.ToString() })
  $before = $words[-1]
  $offered = if ($words.Count -lt 2) { $commands }
  elseif ($values.ContainsKey("$($words[1]) $before")) { $values["$($words[1]) $before"] }
  elseif ($current -like '-*') { $options[$words[1]] }
  else { $values[$words[1]] }
  $offered | Where-Object { $_ -like "$current*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`;
}

function row(key: string, words: readonly string[]): string[] {
  return words.length === 0 ? [] : [`    '${key}' = @(${list(words)})`];
}

function list(words: readonly string[]): string {
  return words.map((word) => `'${word.replaceAll("'", "''")}'`).join(', ');
}
