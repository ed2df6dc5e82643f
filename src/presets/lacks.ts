import type { HostLack } from '../../translators/index.js';

/** Servers of responses that know tools of one type, functions, and items of messages, reasoning and their calls. */
export const FUNCTIONS_ONLY = [
  'customTools',
  'namespaces',
  'toolSearch',
  'additionalTools',
  'hostedTools',
  'codexItems',
] as const satisfies readonly HostLack[];

/** Servers of messages that know tools by their schemas only. */
export const SCHEMAS_ONLY = ['clientTools', 'hostedTools', 'mcp', 'containers'] as const satisfies readonly HostLack[];
