import { OPENAI_MODELS } from './openai.js';
import { type HostRow, type ModelRow, onDemand, PARSES } from './row.js';

/** Chat servers that are no presets, by their hosts, because they want more than a key [H §1.1]; and models that anybody serves. */
export const OTHER_SERVERS: readonly Pick<HostRow, 'hosts' | 'alike' | 'endpoints'>[] = [
  // Open weights, which anybody serves.
  { hosts: [], endpoints: { chatCompletions: { names: ['gpt-oss'] } } },
  {
    hosts: ['*.snowflakecomputing.com'],
    endpoints: {
      chatCompletions: {
        flags: {
          jsonMode: false,
          sampling: ['no-topK', 'none-when-reasoning'],
          thinking: onDemand('low', 'medium', 'high'),
        },
        server: {
          maxTokensField: 'max_completion_tokens',
          systemMessages: 'many',
          idRule: 'any',
          reasoningControl: 'openrouter',
        },
        keeps: PARSES,
      },
    },
  },
  {
    hosts: ['api.githubcopilot.com', '*.githubcopilot.com'],
    endpoints: {
      chatCompletions: {
        flags: { schemaOutput: false },
        server: { systemMessages: 'many', idRule: 'any' },
        models: OPENAI_MODELS.map(({ prefix, flags, server }: ModelRow) => ({
          prefix,
          flags: { ...flags, schemaOutput: flags?.schemaOutput ?? true },
          server: { ...server, customTools: false, webSearch: 'none' },
        })),
        keeps: PARSES,
      },
    },
  },
  {
    hosts: ['router.huggingface.co'],
    endpoints: { chatCompletions: { flags: { schemaOutput: false }, server: { idRule: 'any' } } },
  },
];
