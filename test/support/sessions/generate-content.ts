import {
  type Candidate,
  type Content,
  FunctionCallingConfigMode,
  type GenerateContentConfig,
  type GenerateContentResponse,
  type Part,
  ThinkingLevel,
} from '@google/genai';
import { connectGenerateContent } from '../clients.js';
import { hearGenerateContent } from '../wire/heard.js';
import { createPieceClock, type Session, type SessionOptions, turnOf } from './session.js';

/** A conversation through `@google/genai`; the history is the list of `contents`. */
export function createGenerateContentSession(url: string, options: SessionOptions): Session {
  const client = connectGenerateContent(url, { apiKey: options.apiKey, fetch: options.fetch });
  const contents: Content[] = [];
  const config = printConfig(options);
  return {
    user(text, image) {
      const picture: Part[] = image ? [{ inlineData: { mimeType: image.mime, data: image.base64 } }] : [];
      contents.push({ role: 'user', parts: [...picture, { text }] });
    },
    results(results) {
      contents.push({
        role: 'user',
        parts: results.map(({ id, name, output }) => ({ functionResponse: { id, name, response: { output } } })),
      });
    },
    async send({ stream, model = options.model }) {
      const clock = createPieceClock();
      const parameters = { model, contents, config };
      const answer = stream
        ? await fold(await client.models.generateContentStream(parameters), (text) => clock.add(text))
        : readAnswer(await client.models.generateContent(parameters));
      if (answer.parts.length > 0) contents.push({ role: 'model', parts: answer.parts });
      const { parts, finishReason, promptFeedback, last } = answer;
      const candidates = [{ content: { parts }, finishReason }];
      const heard = hearGenerateContent({ candidates, promptFeedback, usageMetadata: last?.usageMetadata });
      return turnOf(heard, clock.pieces, last);
    },
  };
}

function printConfig(options: SessionOptions): GenerateContentConfig {
  const { system, tools, toolChoice, schema, reasoning, maxTokens, stop } = options;
  return {
    ...(system === undefined ? {} : { systemInstruction: system }),
    ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
    ...(stop ? { stopSequences: [...stop] } : {}),
    ...(reasoning ? { thinkingConfig: { thinkingLevel: ThinkingLevel.LOW, includeThoughts: true } } : {}),
    ...(schema ? { responseMimeType: 'application/json', responseJsonSchema: schema } : {}),
    ...(toolChoice === undefined ? {} : { toolConfig: { functionCallingConfig: printChoice(toolChoice) } }),
    ...(tools
      ? {
          tools: [
            {
              functionDeclarations: tools.map(({ name, description, parameters }) => ({
                name,
                description,
                parametersJsonSchema: parameters,
              })),
            },
          ],
        }
      : {}),
  };
}

function printChoice(choice: NonNullable<SessionOptions['toolChoice']>) {
  if (typeof choice === 'object') return { mode: FunctionCallingConfigMode.ANY, allowedFunctionNames: [choice.name] };
  const modes = {
    auto: FunctionCallingConfigMode.AUTO,
    required: FunctionCallingConfigMode.ANY,
    none: FunctionCallingConfigMode.NONE,
  };
  return { mode: modes[choice] };
}

/** What one answer says, whole or put together from chunks. */
interface Answer {
  readonly parts: Part[];
  readonly finishReason?: Candidate['finishReason'];
  readonly promptFeedback?: GenerateContentResponse['promptFeedback'];
  readonly last: GenerateContentResponse | undefined;
}

function readAnswer(response: GenerateContentResponse): Answer {
  const candidate = response.candidates?.[0];
  return {
    parts: candidate?.content?.parts ?? [],
    ...(candidate?.finishReason === undefined ? {} : { finishReason: candidate.finishReason }),
    ...(response.promptFeedback && { promptFeedback: response.promptFeedback }),
    last: response,
  };
}

/** The parts of all chunks in order, as they came; a text that is empty and unsigned says nothing and is left out. */
async function fold(stream: AsyncIterable<GenerateContentResponse>, onText: (text: string) => void): Promise<Answer> {
  let folded: Answer = { parts: [], last: undefined };
  for await (const chunk of stream) {
    const { parts, ...answer } = readAnswer(chunk);
    for (const part of parts) if (!part.thought) onText(part.text ?? '');
    const said = parts.filter((part) => part.text !== '' || part.thoughtSignature !== undefined);
    folded = { ...folded, ...answer, parts: [...folded.parts, ...said] };
  }
  return folded;
}
