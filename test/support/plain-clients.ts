import Anthropic, { type ClientOptions as AnthropicOptions } from '@anthropic-ai/sdk';
import { GoogleGenAI, type GoogleGenAIOptions } from '@google/genai';
import OpenAI from 'openai';

/** Runs a program that imports the official clients; they do not repeat what fails. `given` = what else it finds by name. */
export async function runProgram(program: string, given: Readonly<Record<string, unknown>>): Promise<void> {
  const code = program.replace(/^import .*\n/gm, '');
  const names = { Anthropic: PlainAnthropic, OpenAI: PlainOpenAI, GoogleGenAI: PlainGoogle, ...given };
  await new Function(...Object.keys(names), `return (async () => {\n${code}\n})();`)(...Object.values(names));
}

class PlainAnthropic extends Anthropic {
  constructor(options: AnthropicOptions = {}) {
    super({ maxRetries: 0, ...options });
  }
}

class PlainOpenAI extends OpenAI {
  constructor(options: ConstructorParameters<typeof OpenAI>[0] = {}) {
    super({ maxRetries: 0, ...options });
  }
}

/** It gets `fetch` because it otherwise looks for a dispatcher that Jest's modules do not have. */
class PlainGoogle extends GoogleGenAI {
  constructor({ httpOptions = {}, ...options }: GoogleGenAIOptions) {
    const root = process.env.GOOGLE_GEMINI_BASE_URL;
    super({ ...options, httpOptions: { ...(root && { baseUrl: root }), ...httpOptions, fetch: globalThis.fetch } });
  }
}
