/** Details of an answer that every backend gives unasked where it has them, or that are settings of their own. */
const MET: ReadonlySet<string> = new Set([
  'code_interpreter_call.outputs',
  'file_search_call.results',
  'message.output_text.logprobs',
  'reasoning.encrypted_content',
  'web_search_call.action.sources',
  'web_search_call.results',
]);

/** Whether a request asks for detail that another dialect cannot be asked for (translation.md 2.2 `include`). */
export function asksForMore({ include }: { readonly include?: readonly string[] }): boolean {
  return include?.some((word) => !MET.has(word)) === true;
}
