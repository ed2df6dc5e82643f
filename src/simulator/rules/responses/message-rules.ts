import { isFileData } from '../file-data.js';
import { type JsonObject, objectsOf, stringOf } from '../json.js';
import { type Violation, when } from '../violation.js';
import { missing, unsupported } from './violations.js';

const ASSISTANT_PARTS = ['output_text', 'refusal'];
const OTHER_PARTS = ['input_text', 'input_image', 'input_file'];
const ROLES = ['assistant', 'system', 'developer', 'user'];

/** Roles, and the part types that each of them takes [R §3.23, §3.24]. */
export function checkMessages(input: readonly JsonObject[]): Violation[] {
  return input.flatMap(({ type, role, content }, index) => {
    if (stringOf(type, 'message') !== 'message') return [];
    const allowed = role === 'assistant' ? ASSISTANT_PARTS : OTHER_PARTS;
    return [
      ...unsupported(!ROLES.includes(stringOf(role)), `input[${index}].role`, role, ROLES),
      ...objectsOf(content).flatMap((part, place) => {
        const param = `input[${index}].content[${place}]`;
        const odd = !allowed.includes(stringOf(part.type));
        const wrong = unsupported(odd, param, part.type, allowed);
        return [...wrong, ...checkImage(part, param), ...checkFile(part, param)];
      }),
    ];
  });
}

const IMAGE_URL = /^(?:https?:\/\/|data:image\/[a-z.+-]+;base64,[A-Za-z0-9+/]*={0,2}$)/i;

function checkImage({ type, image_url: url, file_id: file }: JsonObject, at: string): Violation[] {
  if (type !== 'input_image') return [];
  const param = `${at}.image_url`;
  return [
    ...missing(!url && !file, param),
    ...when(
      typeof url === 'string' && !IMAGE_URL.test(url),
      `Invalid '${param}'. Expected a valid URL or a base64-encoded data URL, but got a value with an invalid format.`,
      { param, code: 'invalid_value' },
    ),
  ];
}

function checkFile(part: JsonObject, at: string): Violation[] {
  if (part.type !== 'input_file') return [];
  const { file_data: data, file_url: url, file_id: id } = part;
  const code = 'invalid_value';
  return [
    ...when(
      [data, url, id].filter((source) => typeof source === 'string').length !== 1,
      `Invalid '${at}': exactly one of file_data, file_url, file_id is required.`,
      { param: at, code },
    ),
    ...when(Boolean(part.filename && !data), `Invalid '${at}.filename': only allowed together with file_data.`, {
      param: `${at}.filename`,
      code,
    }),
    ...when(
      Boolean(data) && !isFileData(stringOf(data)),
      `Invalid file data: '${at}.file_data'. Expected a base64-encoded data URL with a valid file MIME type (e.g. 'data:text/plain;base64,SGVsbG8sIFdvcmxkIQ==').`,
      { param: `${at}.file_data`, code },
    ),
  ];
}
