/** Whether a text is a command line of curl. */
export const isCurl = (text: string): boolean => /^\s*(?:[$>%#] )?curl(?:\.exe)?\s/.test(text);
