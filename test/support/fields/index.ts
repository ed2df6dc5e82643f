import { type DialectId, dialectIds, type JsonObject } from '../../../translators/index.js';
import { tableOf } from '../dialects/index.js';
import { type Data, fill, readData } from '../frames.js';
import { settingsOf } from '../members.js';

/** A documented object of a dialect, with a value for every field it may have. */
export interface Documented {
  /** What the object is called in the dialect's own documents. */
  readonly name: string;
  /** The smallest request that holds the object with these fields added. */
  request(fields: JsonObject): JsonObject;
  /** Every optional field, each with a value that is not the dialect's default. */
  readonly fields: JsonObject;
  /** Other fields of the object beside which alone a field means something. They stand there without it too. */
  readonly beside: Readonly<Record<string, JsonObject>>;
  /** The type of the official client, and the keys of it that have a place here. */
  readonly known?: { readonly type: string; readonly keys: readonly string[] };
}

const FOLDERS = tableOf('folder');

/** What the data file of a dialect holds, read when it is asked for. */
interface Fields {
  readonly documented: readonly Documented[];
  readonly further: readonly Documented[];
  /** Declarations of the types that `known` names. */
  readonly types: string;
}

const read = new Map<string, Fields>();

function fieldsOf(id: DialectId): Fields {
  const folder = FOLDERS[id];
  const known = read.get(folder);
  if (known !== undefined) return known;
  const { base, documented, further = {}, types } = readData(`support/fields/${folder}.yaml`);
  const objects = (data: Data): Documented[] =>
    Object.entries<Data>(data).map(([name, object]) => documentedOf(name, object, base));
  const fields = { documented: objects(documented), further: objects(further), types };
  read.set(folder, fields);
  return fields;
}

/** An object without `in` is the request itself; `$...` in a frame is an object that is not there while it is empty. */
function documentedOf(name: string, { type, in: frame, whole, least = {}, fields, beside = {} }: Data, base: Data) {
  const around = whole ? {} : base;
  const request = (more: JsonObject): JsonObject => {
    const node = { ...least, ...more };
    return { ...around, ...(frame === undefined ? node : fill(frame, node, isEmpty(node) ? [] : [node])) };
  };
  const keys = [...Object.keys(frame === undefined ? around : least), ...Object.keys(fields)];
  return { name, request, fields, beside, ...(type !== undefined && { known: { type, keys } }) };
}

function isEmpty(node: JsonObject): boolean {
  return Object.keys(node).length === 0;
}

function listsOf(key: 'documented' | 'further'): Readonly<Record<DialectId, readonly Documented[]>> {
  const lists = {} as Readonly<Record<DialectId, readonly Documented[]>>;
  for (const id of dialectIds)
    Object.defineProperty(lists, id, {
      enumerable: true,
      get: () => [...fieldsOf(id)[key], ...(key === 'documented' ? newer(id) : [])],
    });
  return lists;
}

/** Every documented object of a request: what the official clients know, and members of the tables that none of them does. */
export const DOCUMENTED = listsOf('documented');

/** Fields with further values, and beside other ones: what a single value of each alone does not show. */
export const FURTHER = listsOf('further');

function newer(id: DialectId): Documented[] {
  const { documented, further } = fieldsOf(id);
  const [request] = documented;
  if (request === undefined) return [];
  const objects = [...documented, ...further].map(({ fields }) => fields);
  const known = new Set([request.request({}), ...objects].flatMap(Object.keys));
  const found = settingsOf(id).filter(({ key, sample }) => sample !== undefined && !known.has(key));
  if (found.length === 0) return [];
  const { name, request: within } = request;
  const fields = Object.fromEntries(found.map(({ key, sample }) => [key, sample]));
  return [{ name, request: within, fields, beside: {} }];
}

/** The types of the official client of a dialect, and the objects that are of them. */
export function typedObjects(id: DialectId): Pick<Fields, 'documented' | 'types'> {
  return fieldsOf(id);
}
