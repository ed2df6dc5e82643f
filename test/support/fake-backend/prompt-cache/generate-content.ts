import { objectOf, objectsOf } from '../../../../src/simulator/rules/index.js';
import type { RecordedRequest } from '../dialect.js';
import type { PlainPrompt } from './automatic.js';

/**
 * The prompt of a request, part by part, each with its end, so that what is appended changes nothing before it. The vendor
 * documents 2,048 tokens for 2.5 and 4,096 for what is newer, and no steps.
 */
export function readGenerateContent({ body, path }: RecordedRequest): PlainPrompt {
  const { systemInstruction, tools, contents } = objectOf(body);
  const declared = objectsOf(tools).flatMap(({ functionDeclarations, ...rest }) => [
    ...(Object.keys(rest).length > 0 ? [rest] : []),
    ...objectsOf(functionDeclarations),
  ]);
  const said = objectsOf(contents).flatMap(({ role, parts }) => [role, ...objectsOf(parts)]);
  const pieces = [...(systemInstruction === undefined ? [] : [systemInstruction]), ...declared, ...said];
  const [, model = ''] = /\/models\/([^/:?]+)/.exec(path) ?? [];
  return {
    text: Buffer.from(pieces.map((piece) => `${JSON.stringify(piece)}\n`).join('')),
    apart: model,
    least: model.startsWith('gemini-2.5') ? 2048 : 4096,
  };
}
