/*
 * `npm run page [FOLDER]`: the page by itself, as files that any server of files shows from any path. It translates as the gateway's
 * does and sends nothing. `dist` must have been built. Default folder: dist-page.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createGateway } from '../dist/src/index.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = resolve(process.argv[2] ?? join(root, 'dist-page'));

/** The policy with which the gateway sends the page; where the page stands by itself it says so within. */
async function policy() {
  const gateway = createGateway({
    backends: { sim: { dialect: 'messages', simulator: true } },
    models: { sim: { backend: 'sim' } },
    log: { level: 'silent' },
  });
  const { url } = await gateway.listen({ host: '127.0.0.1', port: 0 });
  const { headers } = await fetch(`${url}/playground/`);
  await gateway.close();
  const parts = (headers.get('content-security-policy') ?? '').split('; ');
  if (!parts.includes("default-src 'none'")) throw new Error('the gateway sends the page without a policy');
  // Only a header can say who frames a page.
  return parts.filter((part) => !part.startsWith('frame-ancestors')).join('; ');
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
cpSync(join(root, 'dist/page'), folder, { recursive: true });
const html = readFileSync(join(folder, 'index.html'), 'utf8');
const head = `<meta http-equiv="content-security-policy" content="${await policy()}">
    <meta name="referrer" content="no-referrer">
    <meta name="interlingua-gateway" content="none">
    <meta name="worker"`;
writeFileSync(
  join(folder, 'index.html'),
  html
    .replace('<meta name="worker"', () => head)
    .replace('<!-- looking -->', '')
    .replace('<!-- models -->', ''),
);
console.log(folder);
