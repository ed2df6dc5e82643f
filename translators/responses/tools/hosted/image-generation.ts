import type { HostedCallPart, HostedResultPart } from '../../../canonical/content.js';
import type { JsonObject } from '../../../canonical/node.js';
import type { HostedTool } from '../../../canonical/tools.js';
import type { EncodeRequestContext } from '../../../dialect.js';
import { check, type Reader } from '../../nodes.js';
import * as wire from '../../wire/index.js';
import { type HostedCodec, hostedTool, type ItemCodec, type ItemContent, textOf } from './codec.js';

const TYPE = 'image_generation_call';

/** Pictures that the model has made. */
export const imageGen: HostedCodec = {
  tool: {
    types: ['image_generation'],
    decode(node, ptr, reader) {
      check(wire.imageGenerationTool, node, ptr, reader);
      const { type, ...image } = node;
      return hostedTool('imageGen', String(type), { image }, { ext: undefined, src: { ptr } });
    },
    fields: ({ settings }) => ({ ...settings.image }),
  },
  item: { type: TYPE, decode: decodeItem },
};

export const imageGenItem: ItemCodec = {
  type: TYPE,
  opening: ['response.image_generation_call.in_progress', 'response.image_generation_call.generating'],
  partialImage: 'response.image_generation_call.partial_image',
  completed: 'response.image_generation_call.completed',
  cut: 'in_progress',
  head: () => ({}),
  whole: encodeImage,
  shownKeys: ['base64', 'mime', 'revisedPrompt'],
};

/** The tool of another service. */
export function encodeImageGen(tool: HostedTool, { losses }: EncodeRequestContext): JsonObject {
  if (Object.keys(tool.settings.image ?? {}).length > 0)
    losses.add(tool, 'tool.hosted.settings', 'dropped', 'the target takes no settings for images');
  return { type: 'image_generation' };
}

function decodeItem(node: JsonObject, ptr: string, reader: Reader): ItemContent {
  const image = check(wire.imageGenerationCall, node, ptr, reader);
  const revisedPrompt = image.revised_prompt ?? undefined;
  const mime = `image/${image.output_format ?? 'png'}`;
  return {
    input: revisedPrompt === undefined ? {} : { prompt: revisedPrompt },
    output:
      typeof image.result === 'string'
        ? { base64: image.result, mime, ...(revisedPrompt !== undefined && { revisedPrompt }) }
        : {},
    status: image.status ?? undefined,
  };
}

function encodeImage(call: HostedCallPart, result: HostedResultPart | undefined): JsonObject {
  const { base64, mime, revisedPrompt } = result?.output ?? {};
  const prompt = revisedPrompt ?? call.input.prompt;
  return {
    result: typeof base64 === 'string' ? base64 : null,
    output_format: textOf(mime).replace(/^image\//, '') || 'png',
    ...(typeof prompt === 'string' && { revised_prompt: prompt }),
  };
}
