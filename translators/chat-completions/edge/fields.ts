import type { RequestFields } from '../../dialect.js';

export const requestFields: RequestFields = {
  optional: [
    { path: ['temperature'], feature: 'sampling.temperature' },
    { path: ['top_p'], feature: 'sampling.topP' },
    { path: ['top_k'], feature: 'sampling.topK' },
  ],
  // [M §2.1]
  betas: [
    { prefix: 'context-management-', fields: ['context_management'] },
    { prefix: 'mcp-client-', fields: ['mcp_servers'] },
    { prefix: 'compact-', fields: ['compaction'] },
    { prefix: 'message-threads-', fields: ['thread'] },
    { prefix: 'fast-mode-', fields: ['speed'] },
    { prefix: 'server-side-fallback-', fields: ['fallbacks'] },
    { prefix: 'fallback-credit-', fields: ['fallback_credit_token'] },
    { prefix: 'structured-outputs-', fields: ['output_format'] },
  ],
  model: { resource: (model) => model, repeatedIn: [], repeatedInLists: [] },
  data: ['messages', 'system', 'input', 'input_schema', 'input_examples', 'schema', 'metadata'],
};
