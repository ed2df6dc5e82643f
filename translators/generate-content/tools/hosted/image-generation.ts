import type { JsonObject } from '../../../canonical/node.js';
import type { HostedTool } from '../../../canonical/tools.js';
import type { EncodeRequestContext } from '../../../dialect.js';
import type { AnswerCodec } from './codec.js';

/** Pictures that a tool makes elsewhere; models here make them by themselves, as parts. */
export const imageGenAnswer: AnswerCodec = {
  needsCall: false,
  encodeResult({ output: { base64, mime } }) {
    if (typeof base64 !== 'string' || base64 === '') return undefined;
    return { inlineData: { mimeType: typeof mime === 'string' ? mime : 'image/png', data: base64 } };
  },
  shownKeys: ['base64', 'mime'],
  hiddenInput: ({ input }) => (input.prompt === undefined ? [] : ['the prompt']),
  hiddenOutput: (_result, failed) => (failed ? ['the failure'] : []),
};

/** The `imageConfig` that stands for a tool that makes pictures; undefined where the model makes none. */
export function imageConfigOf(tool: HostedTool, { losses, target }: EncodeRequestContext): JsonObject | undefined {
  if (!target.outputMedia.includes('image')) return undefined;
  losses.add(tool, 'tool.hosted', 'approximated', 'the model generates images itself');
  const size = tool.settings.image?.size;
  const ratio = typeof size === 'string' ? ratioOf(size) : undefined;
  return ratio === undefined ? {} : { aspectRatio: ratio };
}

const RATIOS = ['1:1', '3:2', '2:3', '4:3', '3:4', '16:9', '9:16', '5:4', '4:5', '21:9'];

/** The aspect ratio nearest to a size like `1536x1024`. */
function ratioOf(size: string): string | undefined {
  const [width, height] = size.split('x').map(Number);
  if (width === undefined || height === undefined || !(width > 0) || !(height > 0)) return undefined;
  let best = '1:1';
  let distance = Number.POSITIVE_INFINITY;
  for (const ratio of RATIOS) {
    const [w = 1, h = 1] = ratio.split(':').map(Number);
    const off = Math.abs(Math.log(width / height / (w / h)));
    if (off < distance) {
      best = ratio;
      distance = off;
    }
  }
  return best;
}
