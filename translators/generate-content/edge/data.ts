/** Members that hold content, schemas or words of the caller's own: whatever they contain is data. */
export const dataMembers: readonly string[] = [
  'contents',
  'systemInstruction',
  'system_instruction',
  'parameters',
  'parametersJsonSchema',
  'response',
  'responseSchema',
  'responseJsonSchema',
  '_responseJsonSchema',
  'schema',
  'labels',
];
