import type { CanonicalError } from '../../canonical/errors.js';
import type { JsonObject } from '../../canonical/node.js';
import type { AnswerFacts, RelayedEnd, RelayedFacts } from '../../dialect.js';
import { isObject, parseJson } from '../../wire/json.js';
import { decodeUsage } from '../response/usage.js';
import { errorFrame, errorIn } from './errors.js';

/** The last line of a stream [H §7.1]. */
const DONE = '[DONE]';

const FINISH = /"finish_reason"\s*:\s*"[^"]/;
const ERROR = /"(?:error|base_resp)"\s*:\s*[{"]/;

/** Whether an event is the last word: `[DONE]`, or an error, which may come after the finish too [H §7.5]. */
export function isTerminal(event: string, data: string): boolean {
  return data.trim() === DONE || event === 'error' || failureIn(data) !== undefined;
}

function failureIn(data: string): CanonicalError | undefined {
  return ERROR.test(data) ? errorIn(valueIn(data)) : undefined;
}

function valueIn(data: string): unknown {
  const parsed = parseJson(data);
  return parsed.ok ? parsed.value : undefined;
}

/** Whether the data of a last event are counts and nothing else: servers without a finish reason end with them [H §7.6]. */
function closes(data: string): boolean {
  const value = USAGE.test(data) ? valueIn(data) : undefined;
  if (!isObject(value)) return false;
  const { choices } = value;
  return !(Array.isArray(choices) && choices.some(isObject)) && factsOf(value).usage !== undefined;
}

/** After the finish reason nothing is missing but the last line; before it the answer broke off (translation.md 6.5). */
export const relayedEnd: RelayedEnd = {
  keeps: (_event, data) => FINISH.test(data),
  told: (event, data) => failureIn(data) ?? (event === 'error' ? errorIn({ error: valueIn(data) }) : undefined),
  trailer: ([finish], last = '') => (finish === undefined && !closes(last) ? undefined : `data: ${DONE}\n\n`),
  failure: errorFrame,
};

/** Most services begin with it, and name themselves there; some repeat it in every chunk. */
const ROLE = /"role"\s*:\s*"assistant"/;
const USAGE = /"usage"\s*:\s*\{/;
const CONTENT =
  /"(?:content|refusal|reasoning(?:_content|_text)?|arguments)"\s*:\s*(?:"[^"]|\[\s*\{)|"(?:tool_calls|reasoning_details)"\s*:\s*\[\s*\{|"function_call"\s*:\s*\{/;

/** The finish and the counts are in chunks of their own at some services, in one or in all at others [H §7.2]. */
export const relayedFacts: RelayedFacts = {
  keeps(_event, data) {
    if (FINISH.test(data) || USAGE.test(data)) return 'beside';
    return ROLE.test(data) ? 'instead' : undefined;
  },
  content: (_event, data) => CONTENT.test(data),
  read(told) {
    let facts: AnswerFacts = {};
    for (const node of told) facts = { ...facts, ...factsOf(node) };
    return facts;
  },
};

function factsOf({ id, model, choices, usage, x_groq: groq, service_tier: tier }: JsonObject): AnswerFacts {
  const first: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const finish = isObject(first) && typeof first.finish_reason === 'string' ? first.finish_reason : '';
  const counts = decodeUsage(isObject(usage) ? usage : isObject(groq) ? groq.usage : undefined, 'standard')?.usage;
  return {
    ...(typeof id === 'string' && id !== '' && { id }),
    ...(typeof model === 'string' && model !== '' && { model }),
    ...(finish !== '' && { finish }),
    ...(counts !== undefined && { usage: counts }),
    ...(typeof tier === 'string' && { tier }),
  };
}
