import type { HostedFamily } from '../../../canonical/tools.js';
import { codeExecAnswer } from './code-execution.js';
import type { AnswerCodec } from './codec.js';
import { imageGenAnswer } from './image-generation.js';
import { urlFetchAnswer } from './url-context.js';
import { webSearchAnswer } from './web-search.js';

/** How hosted calls appear in answers; those that are undefined do not. */
export const answers: Readonly<Record<HostedFamily, AnswerCodec | undefined>> = {
  webSearch: webSearchAnswer,
  urlFetch: urlFetchAnswer,
  codeExec: codeExecAnswer,
  imageGen: imageGenAnswer,
  fileSearch: undefined,
  mcp: undefined,
  toolSearch: undefined,
  maps: undefined,
  advisor: undefined,
  other: undefined,
};
