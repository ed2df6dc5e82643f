import type { Place } from '../copy/place.js';
import * as javascript from './javascript.js';
import * as python from './python.js';
import type { Sdk } from './sdk.js';
import { pythonOf } from './values.js';

/** Arguments that the methods of OpenAI's SDK for Python have in common. */
const SHARED =
  'metadata model moderation parallel_tool_calls prompt_cache_key prompt_cache_options prompt_cache_retention safety_identifier ' +
  'service_tier store stream stream_options temperature tool_choice tools top_logprobs top_p user';

/** The same with those of one method, separated by blanks. */
export const argumentsWith = (own: string): ReadonlySet<string> => new Set(`${own} ${SHARED}`.split(' '));

/** What both dialects of OpenAI's SDK have in common; `end` is what the address that the SDK is told ends in. */
export function openai(end: string) {
  const baseOf = ({ root }: Place): string => root + end;
  return {
    name: "OpenAI's SDK",
    knowsItsOwn: true,
    variables: ['OPENAI_BASE_URL', 'OPENAI_API_KEY', '/v1'],
    javascript: {
      load: "import OpenAI from 'openai';",
      client: 'OpenAI',
      options: (place) => ({ baseURL: baseOf(place), apiKey: javascript.keyOf(place), ...javascript.keyHeader(place) }),
    },
    python: {
      load: 'from openai import OpenAI',
      client: 'OpenAI',
      options: (place) => [
        `base_url=${pythonOf(baseOf(place))}`,
        `api_key=${python.keyOf(place)}`,
        ...python.keyHeader(place),
      ],
    },
  } as const satisfies Partial<
    Omit<Sdk, 'javascript' | 'python'> & {
      readonly javascript: Partial<Sdk['javascript']>;
      readonly python: Partial<Sdk['python']>;
    }
  >;
}
