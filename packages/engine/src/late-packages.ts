// Packages that few jobs need, in the midst of synchronous work where no `import()` can be awaited: each is loaded where it is first used.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Runs XPath. */
export function fontoxpath(): (typeof import('fontoxpath'))['default'] {
  return require('fontoxpath');
}

/** Renders templates. */
export function liquidjs(): typeof import('liquidjs') {
  return require('liquidjs');
}

/** Checks JSON Schema, 2020-12. */
export function ajv2020(): typeof import('ajv/dist/2020.js') {
  return require('ajv/dist/2020.js');
}
