/** The lines of a script, with those that a backslash carries on as one. */
export function joinedLines(text: string): readonly string[] {
  return text.replace(/\\\r?\n/g, ' ').split('\n');
}

/** The commands of a script: lines, with those that go on behind the end of one in a quote, with a backslash or with a pipe. */
export function commandsIn(text: string): readonly string[] {
  const commands: string[] = [];
  let command = '';
  let quote = '';
  for (const line of text.split(/\r?\n/)) {
    // Behind a pipe there may be comments before the next program.
    if (quote === '' && line.trimStart().startsWith('#')) continue;
    const isPiped = /^\s{0,200}\|/.test(line) && commands.length > 0;
    if (command === '' && isPiped) command = commands.pop()!;
    quote = quoteAfter(line, quote);
    const goesOn = quote !== '' || line.endsWith('\\') || /(?:\||&&)[ \t]{0,20}$/.test(line);
    command += `${line.endsWith('\\') && quote === '' ? line.slice(0, -1) : line}${goesOn ? '\n' : ''}`;
    if (goesOn) continue;
    commands.push(command);
    command = '';
  }
  return command === '' ? commands : [...commands, command];
}

/** The quote that is open at the end of a line. */
function quoteAfter(line: string, before: string): string {
  let quote = before;
  for (let at = 0; at < line.length; at++) {
    const char = line[at]!;
    if (char === '\\' && quote !== "'") at++;
    else if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === '#' && /^$|\s/.test(line[at - 1] ?? '')) return '';
  }
  return quote;
}
