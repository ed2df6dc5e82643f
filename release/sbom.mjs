/** The bill of materials of a release (CycloneDX 1.5): what npm installs with the package, and what the build copied into it. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SAID_OTHERWISE } from './facts.mjs';

const read = (root, file) => JSON.parse(readFileSync(join(root, file), 'utf8'));

/**
 * What npm says of the packages that are installed with ours, with the binaries for all machines. It is asked in a folder whose manifest
 * and lock file name no others: `npm sbom --omit=dev` leaves out what a development dependency has in another version.
 */
function installedWith(root) {
  const folder = mkdtempSync(join(tmpdir(), 'interlingua-sbom-'));
  try {
    const { devDependencies, peerDependencies, peerDependenciesMeta, ...manifest } = read(root, 'package.json');
    const { packages, ...lock } = read(root, 'package-lock.json');
    const kept = Object.entries(packages).filter(
      ([, { dev, devOptional, peer }]) => ![dev, devOptional, peer].includes(true),
    );
    const write = (file, value) => writeFileSync(join(folder, file), JSON.stringify(value));
    write('package.json', manifest);
    write('package-lock.json', { ...lock, packages: { ...Object.fromEntries(kept), '': manifest } });
    const words = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];
    return JSON.parse(execFileSync('npm', words, { cwd: folder, encoding: 'utf8', maxBuffer: 64e6 }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The whole of it. `dist/vendored/sbom.cdx.json` has to be built. */
export function sbomOf(root) {
  const installed = installedWith(root);
  const vendored = read(root, 'dist/vendored/sbom.cdx.json');
  const { name } = read(root, 'package.json');
  const { component } = installed.metadata;
  const references = vendored.components.map((one) => one['bom-ref']);
  const needed = installed.dependencies.map((one) =>
    one.ref === component['bom-ref'] ? { ...one, dependsOn: [...one.dependsOn, ...references] } : one,
  );
  return {
    ...installed,
    // npm takes the name of the folder.
    metadata: { ...installed.metadata, component: { ...component, name } },
    components: [...installed.components.map(withLicence), ...vendored.components],
    dependencies: [...needed, ...references.map((ref) => ({ ref, dependsOn: [] }))],
  };
}

function withLicence(component) {
  const id = SAID_OTHERWISE[component.name];
  return id === undefined || component.licenses !== undefined
    ? component
    : { ...component, licenses: [{ license: { id } }] };
}
