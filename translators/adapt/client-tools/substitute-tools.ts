import type { JsonObject } from '../../canonical/node.js';
import type { ClientFamily, ClientTool, FunctionTool } from '../../canonical/tools.js';
import { COMPUTER } from '../../target/client-tool-rules.js';
import { APPLY_PATCH, PATCH_FORMAT } from './patches.js';
import { BASH } from './shells.js';

const text = { type: 'string' };
const integer = { type: 'integer' };

function words(...list: string[]): JsonObject {
  return { type: 'string', enum: list };
}

function object(properties: JsonObject, ...required: string[]): JsonObject {
  return { type: 'object', properties, required };
}

const POINT = object({ x: integer, y: integer }, 'x', 'y');

/** How the function is declared that replaces a built-in tool. */
interface Substitute {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonObject;
}

const COMMAND_LINE: Substitute = {
  name: BASH,
  description: 'Runs a command line in bash on the computer of the user and returns what it prints.',
  schema: object({ command: { ...text, description: 'The command line' } }, 'command'),
};

const FILES = {
  path: { ...text, description: 'Absolute path of a file or directory' },
  view_range: {
    type: 'array',
    items: integer,
    description: 'For view: the first and the last line, from 1; -1 is the end',
  },
  file_text: { ...text, description: 'For create: the content' },
  old_str: { ...text, description: 'For str_replace: the text to replace, which must occur exactly once' },
  new_str: { ...text, description: 'For str_replace: the new text' },
  insert_line: { ...integer, description: 'For insert: the line behind which to insert; 0 is the beginning' },
  insert_text: { ...text, description: 'For insert: the text' },
};

const SUBSTITUTES: Readonly<Partial<Record<ClientFamily, Substitute>>> = {
  bash: {
    name: BASH,
    description: 'Runs a command line in a bash session that keeps its state, and returns what it prints.',
    schema: object({
      command: { ...text, description: 'The command line; needed unless restart is set' },
      restart: { type: 'boolean', description: 'Begins a new session instead' },
    }),
  },
  shell: COMMAND_LINE,
  localShell: COMMAND_LINE,
  editor: {
    name: 'str_replace_based_edit_tool',
    description: 'Shows, creates and edits text files.',
    schema: object({ command: words('view', 'create', 'str_replace', 'insert'), ...FILES }, 'command', 'path'),
  },
  memory: {
    name: 'memory',
    description: 'Keeps notes in files under /memories that outlive the conversation. Look there before you begin.',
    schema: object(
      {
        command: words('view', 'create', 'str_replace', 'insert', 'delete', 'rename'),
        ...FILES,
        old_path: { ...text, description: 'For rename: the path as it is' },
        new_path: { ...text, description: 'For rename: the path to be' },
      },
      'command',
    ),
  },
  patch: {
    name: APPLY_PATCH,
    description: PATCH_FORMAT,
    schema: object({ input: { ...text, description: 'The whole patch' } }, 'input'),
  },
  computer: {
    name: COMPUTER,
    description:
      'Uses mouse and keyboard of a computer. Every action returns a picture of its display; points are pixels of that picture, from its upper left corner.',
    schema: object(
      {
        action: words('screenshot', 'click', 'move', 'drag', 'scroll', 'keys', 'type', 'wait'),
        at: { ...POINT, description: 'For click, move, scroll: where' },
        button: { ...words('left', 'right', 'middle'), description: 'For click' },
        count: { ...integer, description: 'For click: 1, 2 or 3 times' },
        path: { type: 'array', items: POINT, description: 'For drag: from the first to the last point' },
        dx: { ...integer, description: 'For scroll: pixels to the right' },
        dy: { ...integer, description: 'For scroll: pixels down' },
        keys: { type: 'array', items: text, description: 'For keys: what is pressed together, such as ctrl and c' },
        text: { ...text, description: 'For type' },
        seconds: { type: 'number', description: 'For wait' },
      },
      'action',
    ),
  },
};

/** The name of the function that replaces a family, where there is one. */
export function substituteName(family: ClientFamily, tool?: ClientTool): string | undefined {
  const substitute = SUBSTITUTES[family];
  return substitute === undefined ? undefined : family === 'editor' ? (tool?.name ?? substitute.name) : substitute.name;
}

/** The function that replaces a built-in tool where a model does not have it (translation.md 2.8). */
export function substituteFor(tool: ClientTool): FunctionTool | undefined {
  const substitute = SUBSTITUTES[tool.family];
  const name = substituteName(tool.family, tool);
  if (substitute === undefined || name === undefined) return undefined;
  const { description, schema } = substitute;
  const { cache, ext, src } = tool;
  return { kind: 'function', name, description, schema, standsFor: tool.family, cache, ext, src };
}
