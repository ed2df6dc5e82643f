/** Members that hold content, schemas or words of the caller's own: whatever they contain is data. */
export const dataMembers: readonly string[] = [
  'input',
  'instructions',
  'parameters',
  'schema',
  'metadata',
  'client_metadata',
  'attributes',
  'variables',
  'headers',
];
