import { isObject } from '../detect.js';

/** Clients by the beginning of what they call themselves; the first that fits is taken. */
const AGENTS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/^claude-cli\//i, 'Claude Code'],
  [/^codex[_-]/i, 'Codex'],
  [/^GeminiCLI/i, 'Gemini CLI'],
  [/^opencode\//i, 'OpenCode'],
  [/^GitHubCopilot/i, 'GitHub Copilot'],
  [/^(?:Kilo-?Code|Roo-?Code|Cline)\//i, 'Cline or one of its kin'],
  [/^Zed\//i, 'Zed'],
  [/^aider/i, 'aider'],
  [/^litellm/i, 'LiteLLM'],
  [/^pydantic-ai/i, 'pydantic-ai'],
  [/^(?:Async)?Anthropic\/Python/i, "Anthropic's SDK for Python"],
  [/^Anthropic\/JS/i, "Anthropic's SDK for JavaScript"],
  [/^Anthropic\//i, "Anthropic's SDK"],
  [/^(?:Async)?OpenAI\/Python/i, "OpenAI's SDK for Python"],
  [/^OpenAI\/JS/i, "OpenAI's SDK for JavaScript"],
  [/^OpenAI\//i, "OpenAI's SDK"],
  [/google-genai-sdk\/\S+ .*gl-python/i, "Google's SDK for Python"],
  [/google-genai-sdk\/\S+ .*gl-node/i, "Google's SDK for JavaScript"],
  [/google-genai-sdk\//i, "Google's SDK"],
  [/\bai-sdk\/|^ai\/\d/i, 'the AI SDK'],
  [/^python-(?:requests|httpx)\//i, 'a program in Python'],
  [/^(?:node|undici|axios|node-fetch)/i, 'a program in JavaScript'],
  [/^curl\//i, 'curl'],
  [/^Mozilla\//i, 'a browser'],
];

/** Who calls itself so in the header `user-agent`; undefined where nobody is known by it. */
export function clientOf(userAgent: string): string | undefined {
  return AGENTS.find(([pattern]) => pattern.test(userAgent))?.[1];
}

/** Beginnings of the instructions of agents. */
const BEGINNINGS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/^(?:x-anthropic-billing-header:|You are Claude Code\b|You are a Claude agent\b)/, 'Claude Code'],
  [/^You are (?:a coding agent running in the )?Codex\b/, 'Codex'],
  [/^You are (?:an interactive CLI agent|Gemini CLI)\b/, 'Gemini CLI'],
  [/^You are opencode\b/i, 'OpenCode'],
  [/^You are (?:Cline|Roo|Kilo Code)\b/, 'Cline or one of its kin'],
];

/** Who wrote a request, by how its instructions begin; undefined where that tells nothing. */
export function clientByBody(body: unknown): string | undefined {
  if (!isObject(body)) return undefined;
  const texts = [body.system, body.instructions, body.systemInstruction, firstOf(body.messages), firstOf(body.input)];
  for (const text of texts.map(beginningOf)) {
    const known = BEGINNINGS.find(([pattern]) => pattern.test(text));
    if (known !== undefined) return known[1];
  }
  return undefined;
}

function firstOf(list: unknown): unknown {
  const first: unknown = Array.isArray(list) ? list[0] : undefined;
  return isObject(first) && (first.role === 'system' || first.role === 'developer') ? first.content : undefined;
}

/** The text with which instructions begin, in whichever of their forms. */
function beginningOf(value: unknown): string {
  if (typeof value === 'string') return value.trimStart().slice(0, 100);
  if (Array.isArray(value)) return beginningOf(value[0]);
  if (!isObject(value)) return '';
  return beginningOf(value.text ?? value.parts);
}
