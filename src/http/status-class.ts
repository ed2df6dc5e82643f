/** The class of a status, `2xx` and the like; `none` where there was no answer. */
export function classOf(status: number | undefined): string {
  return status === undefined ? 'none' : (CLASSES[Math.floor(status / 100)] ?? `${Math.floor(status / 100)}xx`);
}

const CLASSES = ['0xx', '1xx', '2xx', '3xx', '4xx', '5xx'];
