/**
 * Says what the build copied of other packages into our files, for readers, scanners and npm (docs/internals/decisions/
 * 0046-copied-packages.md): `dist/LICENCES.txt`, `dist/vendored/sbom.cdx.json` (CycloneDX), and a manifest with its lock file, of which
 * `npm audit --prefix dist/vendored` asks the registry for known faults. Nothing is installed by them.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What npm knows of a package in a folder of `node_modules`, and the text of its licence. */
function readPackage(root, folder, lock) {
  const { name, version, license, author } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const file = readdirSync(join(root, folder)).find((one) => /^licen[cs]e/i.test(one));
  const text = file === undefined ? `${license}, ${author?.name ?? author}` : readFileSync(join(root, folder, file), 'utf8');
  return { folder, name, version, license, integrity: lock.packages[folder].integrity, text: text.trim() };
}

/** A component of CycloneDX 1.5. Its reference differs from that of the same package where it is installed as well. */
function componentOf({ name, version, license, integrity }) {
  const [algorithm, hash] = integrity.split('-', 2);
  return {
    'bom-ref': `vendored:${name}@${version}`,
    type: 'library',
    name,
    version,
    scope: 'required',
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    properties: [{ name: 'cdx:npm:package:bundled', value: 'true' }],
    hashes: [{ alg: algorithm.toUpperCase().replace('SHA', 'SHA-'), content: Buffer.from(hash, 'base64').toString('hex') }],
    licenses: [{ license: { id: license } }],
  };
}

/**
 * Writes what was copied by the builds of these metafiles of esbuild. Throws where a package is not in the lock file of the project,
 * which has the hash of what was copied.
 */
export function writeVendored(root, ...metafiles) {
  const read = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'));
  const { name, version } = read('package.json');
  const lock = read('package-lock.json');
  const folders = metafiles
    .flatMap(({ outputs }) => Object.values(outputs))
    .flatMap(({ inputs }) => Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])))
    .flatMap((path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  const packages = [...new Set(folders)].sort().map((folder) => readPackage(root, folder, lock));

  const write = (file, value) => writeFileSync(join(root, 'dist', file), `${JSON.stringify(value, null, 2)}\n`);
  mkdirSync(join(root, 'dist', 'vendored'), { recursive: true });
  writeFileSync(join(root, 'dist', 'LICENCES.txt'), packages.map((one) => `${one.name}\n\n${one.text}\n`).join('\n\n'));
  const own = { 'bom-ref': `${name}@${version}`, type: 'application', name, version, purl: `pkg:npm/${name}@${version}` };
  write('vendored/sbom.cdx.json', {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: own },
    components: packages.map(componentOf),
  });
  const dependencies = Object.fromEntries(packages.map((one) => [one.name, one.version]));
  const manifest = { name: `${name}-vendored`, version, private: true, dependencies };
  write('vendored/package.json', manifest);
  write('vendored/package-lock.json', {
    ...manifest,
    dependencies: undefined,
    lockfileVersion: 3,
    packages: {
      '': manifest,
      ...Object.fromEntries(packages.map(({ folder, version, integrity, license }) => [folder, { version, integrity, license }])),
    },
  });
}
