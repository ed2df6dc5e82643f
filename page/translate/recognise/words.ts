import { split } from 'shlex';

/** The form in which browsers copy calls for the command line of Windows: lines go on with ^, which also takes the meaning of a sign. */
const WINDOWS = /\^\r?\n|\^"/;

/** `'"'"'`, an apostrophe in a quoted text: the splitter would take backslashes of the text before it for escapes. */
const APOSTROPHE = /'"'"'/g;

/** The words of a command line, as a shell of Unix or that of Windows splits them; undefined while a quote is open. */
export function wordsOf(command: string): readonly string[] | undefined {
  const text = WINDOWS.test(command) ? fromWindows(command) : command.replace(/\\\r\n/g, '\\\n');
  try {
    return split(text.replace(APOSTROPHE, "'\\''"));
  } catch {
    return undefined;
  }
}

function fromWindows(command: string): string {
  // Two line breaks behind the sign are one of the text; one alone lets the line go on.
  return command
    .replace(/\^\r?\n\r?\n/g, '\n')
    .replace(/\^\r?\n/g, ' ')
    .replace(/\^([\s\S])/g, '$1');
}
