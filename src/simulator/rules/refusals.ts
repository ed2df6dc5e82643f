import { chatCompletions } from './chat-completions/service.js';
import { generateContent } from './generate-content/service.js';
import { isObject } from './json.js';
import { messages } from './messages/service.js';
import { responses } from './responses/service.js';
import type { ServiceCheck, ServiceRequest } from './service.js';

/** What a service would answer with a 400. */
export interface ServiceRefusal {
  /** JSON Pointer into the body that the service gets; '' where it names no place but in its words. */
  readonly path: string;
  /** The words of the service. */
  readonly message: string;
}

/**
 * The first thing for which the service of a dialect refuses a request; undefined = it takes the request. What the service alone
 * can know (opaque state and answers that it issued) is believed, and so is everything of a dialect without rules.
 */
export function serviceRefusal(dialect: string, { body, ...request }: ServiceRequest): ServiceRefusal | undefined {
  if (!isObject(body)) return { path: '', message: 'The request body is not a JSON object.' };
  const [first] = SERVICES.get(dialect)?.({ body, ...request }) ?? [];
  return first && { path: pointerOf(first.param), message: oneLine(first.message) };
}

const SERVICES: ReadonlyMap<string, ServiceCheck> = new Map(
  Object.entries<ServiceCheck>({
    messages,
    responses,
    generateContent,
    chatCompletions,
  }),
);

/** `input[0].content[1].type` as a JSON Pointer. */
function pointerOf(param: string | undefined): string {
  if (param === undefined || !/^\w+(?:\.[\w$-]+|\[\d+\])*$/.test(param)) return '';
  return `/${param.replaceAll(/\.|\[/g, '/').replaceAll(']', '')}`;
}

/** A message of several lines as one. */
function oneLine(message: string): string {
  const lines = message.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').join(' ');
}
