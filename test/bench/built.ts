import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PACKAGE_ROOT } from '../support/package-root.js';

/** What is measured is what users install: the gateway and the library of the build, of which the types are those of the sources. */
export const { createGateway } = (await import(built('src/index.js'))) as typeof import('../../src/index.js');
export const { createStreamTranslator, parseJsonBytes, translateRequest } = (await import(
  built('translators/node/index.js')
)) as typeof import('../../translators/public.js');

function built(file: string): string {
  return pathToFileURL(join(PACKAGE_ROOT, 'dist', file)).href;
}
