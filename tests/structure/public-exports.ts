// Finds what a package offers, by following its index through every module that it passes on.
import { posix } from 'node:path';
import { readModule } from '../../scripts/modules.ts';

export interface PublicExport {
  /** The module that declares it, relative to the root. */
  readonly path: string;
  /** The name that the package's users see. */
  readonly name: string;
  readonly isDocumented: boolean;
}

/** Everything that can be imported from the module `index` below `root`, as often as it is passed on; other packages' exports are left out. */
export function publicExports(root: string, index: string): PublicExport[] {
  const module = readModule(root, index);
  return module.exports.flatMap((entry) => {
    if (entry.from === undefined) return declared(index, entry.localName ?? entry.name, module.documented);
    if (!entry.from.startsWith('.')) return [];
    const inner = publicExports(root, posix.join(posix.dirname(index), entry.from));
    const { name } = entry;
    return name === undefined ? inner : inner.filter((found) => found.name === entry.localName).map((found) => ({ ...found, name }));
  });
}

function declared(path: string, name: string | undefined, documented: ReadonlySet<string>): PublicExport[] {
  return name === undefined ? [] : [{ path, name, isDocumented: documented.has(name) }];
}
