/** The parts of index.html that the program works with. */

function find<T extends Element>(id: string, type: new () => T): T {
  const element = document.getElementById(id);
  if (element instanceof type) return element;
  throw new Error(`the page has no ${type.name} #${id}`);
}

export const elements = {
  main: find('main', HTMLElement),
  example: find('example', HTMLSelectElement),
  dialect: find('dialect', HTMLSelectElement),
  kinds: find('kinds', HTMLElement),
  statusField: find('status-field', HTMLElement),
  status: find('status', HTMLInputElement),
  strict: find('strict', HTMLInputElement),
  share: find('share', HTMLButtonElement),
  shared: find('shared', HTMLElement),
  detected: find('detected', HTMLElement),
  source: find('source', HTMLElement),
  input: find('input', HTMLTextAreaElement),
  mirror: find('mirror', HTMLElement),
  sourceScroll: find('source-scroll', HTMLElement),
  problem: find('problem', HTMLElement),
  eventField: find('event-field', HTMLElement),
  event: find('event', HTMLInputElement),
  eventName: find('event-name', HTMLOutputElement),
  targets: find('targets', HTMLElement),
  lossRows: find('loss-rows', HTMLTableSectionElement),
  lossCount: find('loss-count', HTMLElement),
  noLosses: find('no-losses', HTMLElement),
  model: find('model', HTMLInputElement),
  models: find('models', HTMLDataListElement),
  key: find('key', HTMLInputElement),
  send: find('send', HTMLButtonElement),
  stop: find('stop', HTMLButtonElement),
  sendHint: find('send-hint', HTMLElement),
  client: find('client', HTMLElement),
  clientStatus: find('client-status', HTMLElement),
  clientBody: find('client-body', HTMLElement),
  backend: find('backend', HTMLElement),
  sent: find('sent', HTMLElement),
} as const;

/** An element with its classes and content. */
export function make<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string>> = {},
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...content);
  return element;
}
