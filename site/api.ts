import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Application, Converter, type ProjectReflection, ReflectionKind } from 'typedoc';
import { ROOT } from './pages.js';

/** The entries of the package that have types: the name to import, and the source file behind it. */
export function entries(): { name: string; source: string }[] {
  const { name, exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    name: string;
    exports: Record<string, string | { types: string }>;
  };
  return Object.entries(exports).flatMap(([path, entry]) =>
    typeof entry === 'string'
      ? []
      : [
          {
            name: join(name, path),
            source: entry.types.replace('./dist/', '').replace(/\.d\.ts$/, '.ts'),
          },
        ],
  );
}

/**
 * Writes a page for each entry of the package, from its types and doc comments, and one that lists them.
 *
 * @param out - The folder of the pages, which is made anew.
 */
export async function writeApi(out: string): Promise<void> {
  rmSync(out, { recursive: true, force: true });
  const listed = entries();
  const app = await Application.bootstrapWithPlugins({
    entryPoints: listed.map(({ source }) => join(ROOT, source)),
    tsconfig: join(ROOT, 'tsconfig.json'),
    // `npm run typecheck` holds the types, with the compiler of the project.
    skipErrorChecking: true,
    plugin: ['typedoc-plugin-markdown'],
    router: 'module',
    readme: 'none',
    name: 'API reference',
    excludeInternal: true,
    excludePrivate: true,
    disableSources: true,
    logLevel: 'Error',
    entryFileName: 'index',
    hideBreadcrumbs: true,
    hidePageHeader: true,
    parametersFormat: 'table',
    interfacePropertiesFormat: 'table',
    typeAliasPropertiesFormat: 'table',
    enumMembersFormat: 'table',
    tableColumnSettings: {
      hideModifiers: true,
      hideInherited: true,
      hideDefaults: true,
      hideOverrides: true,
      hideSources: true,
    },
  } as Parameters<typeof Application.bootstrapWithPlugins>[0]);
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }: { project: ProjectReflection }) =>
    nameModules(project),
  );
  const project = await app.convert();
  if (project === undefined) throw new Error('the API reference cannot be made: see the errors above');
  await app.outputs.writeOutput({ name: 'markdown', path: out }, project);
}

/** Modules are named as they are imported, where TypeDoc takes the path of the source. */
function nameModules(project: ProjectReflection): void {
  const names = new Map(entries().map(({ name, source }) => [source.replace(/(\/index)?\.ts$/, ''), name]));
  for (const module of project.getReflectionsByKind(ReflectionKind.Module))
    module.name = names.get(module.name) ?? module.name;
}
