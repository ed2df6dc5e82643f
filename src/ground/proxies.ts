/** The proxies that the environment names for calls to backends; '' = none. */
export interface Proxies {
  readonly http: string;
  readonly https: string;
}

/**
 * `HTTP_PROXY` and `HTTPS_PROXY`, in lower case before upper case; without the second the first serves both. A proxy
 * without a scheme is spoken to by HTTP. Throws an error that names the variable and not its value.
 */
export function proxiesOf(environment: NodeJS.ProcessEnv = process.env): Proxies {
  const http = proxyOf('HTTP_PROXY', environment);
  return { http, https: proxyOf('HTTPS_PROXY', environment) || http };
}

/** The same as URLs, as far as they are URLs. */
export function proxyUrls(environment: NodeJS.ProcessEnv = process.env): string[] {
  return ['HTTP_PROXY', 'HTTPS_PROXY'].map((name) => textOf(name, environment)).filter((url) => URL.canParse(url));
}

function proxyOf(name: string, environment: NodeJS.ProcessEnv): string {
  const url = textOf(name, environment);
  if (url === '') return '';
  const protocol = URL.canParse(url) ? new URL(url).protocol : '';
  if (protocol === 'http:' || protocol === 'https:') return url;
  throw new Error(`${name} is not a usable proxy address; write http://HOST:PORT`);
}

function textOf(name: string, environment: NodeJS.ProcessEnv): string {
  const text = (environment[name.toLowerCase()] ?? environment[name] ?? '').trim();
  return text === '' || text.includes('://') ? text : `http://${text}`;
}
