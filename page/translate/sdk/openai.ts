import * as javascript from './javascript.js';
import type { Place } from './place.js';
import * as python from './python.js';
import { asNamed, type Sdk, type Writing } from './sdk.js';
import { pythonOf } from './values.js';

/** Arguments that the methods of OpenAI's SDK for Python have in common. */
const SHARED =
  'metadata model moderation parallel_tool_calls prompt_cache_key prompt_cache_options prompt_cache_retention safety_identifier ' +
  'service_tier store stream stream_options temperature tool_choice tools top_logprobs top_p user';

/** The same with those of one method, separated by blanks. */
export const argumentsWith = (own: string): ReadonlySet<string> => new Set(`${own} ${SHARED}`.split(' '));

type Printing = Pick<Writing<unknown>, 'print' | 'printEvent'>;

/** A method of OpenAI's SDK. */
interface Method {
  /** As a call names it, in JavaScript and in Python. */
  readonly name: string;
  /** A call of it or of those beside it, as {@link Sdk.method}. */
  readonly pattern: RegExp;
  /** Its arguments in Python. */
  readonly named: ReadonlySet<string>;
  /** What the address that the SDK is told has behind the root of the dialect. */
  readonly end: string;
  readonly javascript: Printing;
  readonly python: Printing;
}

/** OpenAI's SDK for the dialect of one of its methods. */
export function openai({ name, pattern, named, end, ...print }: Method): Sdk {
  const baseOf = ({ root }: Place): string => root + end;
  return {
    name: "OpenAI's SDK",
    method: pattern,
    sentBy: asNamed,
    knowsItsOwn: true,
    variables: ['OPENAI_BASE_URL', 'OPENAI_API_KEY', '/v1'],
    javascript: {
      load: "import OpenAI from 'openai';",
      client: 'OpenAI',
      options: (place) => ({ baseURL: baseOf(place), apiKey: javascript.keyOf(place), ...javascript.keyHeader(place) }),
      call: (copied) => javascript.bodyCall(name, copied),
      ...print.javascript,
    },
    python: {
      load: 'from openai import OpenAI',
      client: 'OpenAI',
      options: (place) => [
        `base_url=${pythonOf(baseOf(place))}`,
        `api_key=${python.keyOf(place)}`,
        ...python.keyHeader(place),
      ],
      call: (copied) => python.bodyCall(name, named, copied),
      ...print.python,
    },
  };
}
