/** Members whose texts say what something is and not what was said. */
const STRUCTURE: ReadonlySet<string> = new Set([
  ...['type', 'role', 'model', 'id', 'object', 'status', 'name', 'call_id', 'tool_use_id', 'tool_call_id', 'item_id'],
  ...[
    'stop_reason',
    'finish_reason',
    'finishReason',
    'media_type',
    'mime_type',
    'mimeType',
    'format',
    'effort',
    'mode',
  ],
  ...[
    'detail',
    'service_tier',
    'tool_choice',
    'phase',
    'event',
    'kind',
    'verbosity',
    'summary_type',
    'truncation',
    'ttl',
  ],
  ...['required', 'enum', '$ref', 'include', 'signature', 'thoughtSignature', 'encrypted_content'],
  ...['responseMimeType', 'modelVersion', 'thinkingLevel', 'threshold', 'category', 'previous_response_id'],
]);

/** Members whose texts have to be read by programs: what stays is a beginning that is valid by itself. */
const DATA: ReadonlySet<string> = new Set(['data', 'file_data', 'b64_json', 'result']);

/** A JSON text, or a stream of events, without what was said in it: all that is left is its form. */
export function withoutContent(text: string): string {
  const whole = formOf(text);
  if (whole !== undefined) return whole;
  return text
    .split('\n')
    .map((line) => {
      // JSON may hold U+2028, and a line may end with CRLF.
      const [, field = '', value = '', end = ''] = /^(data: ?)([^\r]*)(\r?)$/.exec(line) ?? [];
      if (field === '') return /^(?:event: ?[\w.]*|id:[^\r]*)?\r?$/.test(line) ? line : '';
      return value.trim() === '[DONE]' ? line : `${field}${formOf(value) ?? '{}'}${end}`;
    })
    .join('\n');
}

function formOf(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text), (key: string, value: unknown) => {
      if (typeof value === 'string') return formOfText(key, value);
      return Array.isArray(value) ? value.map((one) => (typeof one === 'string' ? formOfText(key, one) : one)) : value;
    });
  } catch {
    return undefined;
  }
}

/** List elements have their number for a key: their list was seen before with its own. */
function formOfText(key: string, text: string): string {
  if (text === '' || text === HIDDEN || STRUCTURE.has(key) || /^\d+$/.test(key)) return text;
  if (key === 'arguments' || key === 'partial_json') return '{}';
  if (DATA.has(key) && /^[\w+/=-]+$/.test(text)) return text;
  if (/^data:[\w/+.-]*;base64,/i.test(text)) return text;
  return /^https?:/i.test(text) ? 'https://example.org/' : HIDDEN;
}

const HIDDEN = '…';
