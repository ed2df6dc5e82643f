import type { HostedFamily } from '../../../canonical/tools.js';
import { codeExecAnswer } from './code-execution.js';
import type { AnswerCodec } from './codec.js';
import { imageGenAnswer } from './image-generation.js';
import { urlFetchAnswer } from './url-context.js';
import { webSearchAnswer } from './web-search.js';

/** How hosted calls appear in answers; those of other families do not. */
export const answers: Readonly<Partial<Record<HostedFamily, AnswerCodec>>> = {
  webSearch: webSearchAnswer,
  urlFetch: urlFetchAnswer,
  codeExec: codeExecAnswer,
  imageGen: imageGenAnswer,
};
