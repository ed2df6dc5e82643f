import { onDemand } from '../../hosts/index.js';
import type { ProfileFlags } from '../../target/profile.js';
import { type RefusalRule, refusedMember, THINKING_REFUSALS } from '../../target/refusals.js';
import type { ServerFlags } from '../../target/server-words.js';

/** The flags of a server that are otherwise. */
function turned(server: Partial<ServerFlags>, flags: ProfileFlags = {}): Pick<RefusalRule, 'flags'> {
  return { flags: { ...flags, server } };
}

const WITHOUT_CUSTOM_TOOLS = turned({ customTools: false, webSearch: 'none' });
const AUTOMATIC = turned({ toolChoice: 'auto', toolChoiceThinking: 'auto' });
const PLAIN_SCHEMAS = turned({ plainSchemas: true });
const WITHOUT_STRICT = turned({}, { strictTools: false });
const REPLAYED = turned({ reasoningReplay: 'must' });
/** The words of DeepSeek, which wants it with every message once tools are declared, final answers included. */
const REPLAYED_THROUGHOUT = turned({ reasoningReplay: 'must-with-tools' });
/** Where that is known, what stands for lost reasoning is not taken. */
const REPLAYED_AS_SPACE = turned({ reasoningReplay: 'must', emptyReasoning: 'space' });

/** Of a server that refuses reasoning in the history [H §8.1], which it may have given itself. */
const UNREPLAYED: Omit<RefusalRule, 'words'> = {
  ...turned({ reasoningReplay: 'never' }),
  unsupported: ['reasoningHistory'],
};

/** Names of reasoning in messages, in the forms in which servers tell its place. */
const KEYS = ['reasoning_content', 'reasoning_details', "reasoning'", 'assistant.reasoning'];

/**
 * What servers say of the manners in which they differ [H §10.3]: those that are about one thing come before those that are
 * about schemas as such, and what only tells that a member is unknown comes last.
 */
export const REFUSALS: readonly RefusalRule[] = [
  // Ollama, of models that think or do not, and know no degrees of it.
  { words: ['think value', 'not supported'], flags: { thinking: onDemand() } },
  ...THINKING_REFUSALS,
  { words: ['function tools with reasoning_effort'], ...turned({ toolsWithReasoning: false }) },
  { words: ['temperature', 'only the default'], flags: { sampling: ['no-topK', 'none-when-reasoning'] } },
  // Roles and their order [H §3.4].
  { words: ['developer', 'role'], ...turned({ developerRole: false }) },
  { words: ['unexpected message role'], ...turned({ developerRole: false, systemMessages: 'one' }) },
  { words: ['system message must be at the beginning'], ...turned({ systemMessages: 'one' }) },
  { words: ['system role not supported'], ...turned({ systemMessages: 'none' }) },
  { words: ['roles must alternate'], ...turned({ alternation: true }) },
  { words: ["unexpected role 'user' after role 'tool'"], ...turned({ assistantAfterTool: true }) },
  // Ids of calls [H §4.4].
  { words: ['tool call id', 'length of 9'], ...turned({ idRule: 'nine' }) },
  { words: ['tool_call', 'maximum length 40'], ...turned({ idRule: 'short' }) },
  // Reasoning in the history [H §8.1].
  { words: ['reasoning_content', 'missing'], ...REPLAYED },
  { words: ['reasoning_content', 'must be passed'], ...REPLAYED_THROUGHOUT },
  { words: ['reasoning_content', 'missing'], ...REPLAYED_AS_SPACE },
  { words: ['remove the reasoning_content'], ...UNREPLAYED },
  ...KEYS.flatMap((key) => refusedMember(key, undefined).map(({ words }): RefusalRule => ({ words, ...UNREPLAYED }))),
  // Efforts that not every model has; where it is the word itself that is refused, nothing is left of them.
  ...['supported', 'invalid', 'expected', 'must be'].map(
    (said): RefusalRule => ({ words: ['reasoning_effort', said], unsupported: ['farEfforts'] }),
  ),
  ...refusedMember('reasoning_effort', ['effort']),
  // Tools and their choice [H §4.1, §4.2].
  { words: ['unsupported tool type'], ...WITHOUT_CUSTOM_TOOLS },
  { words: ["'type' of tool must be 'function'"], ...WITHOUT_CUSTOM_TOOLS },
  { words: ['tool_choice', 'thinking'], ...turned({ toolChoiceThinking: 'auto' }, { forcedWithThinking: false }) },
  { words: ['tool_choice', 'not support'], ...AUTOMATIC },
  { words: ['tool_choice', 'unsupported'], ...AUTOMATIC },
  { words: ['strict', 'extra inputs'], ...WITHOUT_STRICT },
  { words: ['strict', 'extra_forbidden'], ...WITHOUT_STRICT },
  { words: ['strict', 'unknown'], ...WITHOUT_STRICT },
  // The form of the answer [H §5].
  { words: ['response_format type is unavailable'], ...turned({}, { schemaOutput: false }) },
  { words: ['does not support response format', 'json_schema'], ...turned({}, { schemaOutput: false }) },
  { words: ["'json_schema' is not supported"], ...turned({}, { schemaOutput: false }) },
  { words: ['response_format', "should be 'text' or 'json_object'"], ...turned({}, { schemaOutput: false }) },
  { words: ["must be 'json_schema' or 'text'"], ...turned({}, { jsonMode: false }) },
  // Settings [H §2.2].
  { words: ["unsupported parameter: 'stop'"], ...turned({ stopMax: 0 }) },
  { words: ['not supported on this model: stop'], ...turned({ stopMax: 0 }) },
  { words: ['stream_options'], ...turned({ streamUsage: false }) },
  { words: ['logprobs', 'not support'], ...turned({ logprobs: false }) },
  { words: ['logprobs', 'unsupported'], ...turned({ logprobs: false }) },
  // Grammars that are built of schemas (translation.md 3).
  { words: ['schema'], ...PLAIN_SCHEMAS },
  { words: ['grammar'], ...PLAIN_SCHEMAS },
  { words: ['function_declarations'], ...PLAIN_SCHEMAS },
  { words: ['function.parameters'], ...PLAIN_SCHEMAS },
];
