import { createCells } from '../ground/index.js';
import type { ClientCall } from '../http/index.js';
import type { Increment } from '../store/index.js';

/** Of what an exchange is, beside its hour: a row of the records. */
export interface Row {
  /** The name of the caller's key; '' without keys. */
  readonly key: string;
  /** As the client asked; '' where the request named none. */
  readonly model: string;
  /** The backend that answered, or was tried last; '' where none was. */
  readonly backend: string;
  /** The backend's name for the model. */
  readonly target: string;
  /** The class of the answer's status: `2xx` and the like; `none` = the client got no answer. */
  readonly status: string;
}

/** Stands for the names above the bound in an hour, and for names that no model has. */
const OTHER = '(other)';

/** The longest name, in characters and as a text of JSON. */
const LONGEST_NAME = 128;
const LONGEST_TEXT = 400;

type Names = Pick<Row, 'model' | 'backend' | 'target'>;

/** What names depend on: those of the configuration may be shown, others may be anything, even somebody's key. */
export interface Naming {
  readonly config: { readonly backends: Readonly<Record<string, unknown>> };
  readonly targets: { nameOf(model: string): string | undefined };
  /** Takes secrets out of a text. */
  readonly hide: (text: string) => string;
}

/** The row of an exchange, as the records have it. `instead` is the one above the bound of rows; undefined where the configuration has the name. */
export interface RowTexts {
  readonly row: string;
  readonly instead: string | undefined;
}

/** So many rows are remembered. */
const MOST_ROWS = 2000;

/** Gives the row of an exchange among those of its key. It is made once: its text takes longer than all that is added to it. */
export function createRowTexts(): (naming: Naming, call: ClientCall, status: string) => RowTexts {
  let last: Naming | undefined;
  const made = createCells((): { texts: RowTexts | undefined } => ({ texts: undefined }));
  return (naming, { record: { facts } }, status) => {
    // Another configuration has other names.
    if (naming !== last || made.all.length >= MOST_ROWS) made.clear();
    last = naming;
    const { model = '', backend = '', target = '' } = facts ?? {};
    const cell = made.at([model, target, backend, status]);
    cell.texts ??= textsOf(naming, { model, backend, target }, status);
    return cell.texts;
  };
}

function textsOf({ config, targets, hide }: Naming, { model, backend, target }: Names, status: string): RowTexts {
  const known = Object.hasOwn(config.backends, backend) ? backend : '';
  if (model === '' || targets.nameOf(model) === model)
    return { row: rowText([shortOf(model), known, shortOf(target), status]), instead: undefined };
  const names = [shortOf(hide(model)), known, shortOf(hide(target)), status];
  return { row: rowText(names), instead: rowText([OTHER, known, OTHER, status]) };
}

function shortOf(name: string): string {
  return name.length <= LONGEST_NAME && JSON.stringify(name).length <= LONGEST_TEXT ? name : OTHER;
}

function rowText(names: readonly string[]): string {
  return JSON.stringify(names);
}

/** A row as it is kept; undefined for what none of us wrote. */
export function rowOf({ owner, row }: Pick<Increment, 'owner' | 'row'>): Row | undefined {
  try {
    const names: unknown = JSON.parse(row);
    if (!Array.isArray(names) || names.length < 4 || !names.every((name) => typeof name === 'string')) return undefined;
    const [model = '', backend = '', target = '', status = ''] = names as string[];
    return { key: owner, model, backend, target, status };
  } catch {
    return undefined;
  }
}
