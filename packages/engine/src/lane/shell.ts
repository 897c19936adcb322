// Tells a page from a shell that scripts fill, by what it lacks: content outside of menus and footers. The trees are fitted; names play no part.
import { compileModel, scoreRow, sigmoid } from '../extract/content/trees.ts';
import type { CompiledModel } from '../extract/content/trees.ts';
import type { ShellSigns } from '../html/signs/shell-signs.ts';
import { SHELL_TREES } from './generated/shell-trees.ts';

/** What the trees compare. */
export const SHELL_FEATURES: readonly (keyof ShellSigns)[] = [
  'characters',
  'linkCharacters',
  'longest',
  'frameCharacters',
  'headings',
  'blocks',
  'links',
  'fields',
  'media',
  'emptyPlaces',
  'emptyMains',
  'waits',
  'asksForScripts',
  'noscriptCharacters',
  'moduleScripts',
  'scripts',
];

/** Where a visit in vain weighs as much as a page that is lost. */
const SHELL_PROBABILITY_MIN = 0.5;

/** The numbers of `signs`, in the order of `SHELL_FEATURES`. */
export function shellFeatures(signs: ShellSigns): Float32Array {
  return Float32Array.from(SHELL_FEATURES, (name) => Number(signs[name]));
}

/** Whether scripts have still to bring the content of the page that shows `signs`. */
export function isShell(signs: ShellSigns, model: CompiledModel = fitted()): boolean {
  return signs.scripts > 0 && sigmoid(scoreRow(model, shellFeatures(signs))) >= SHELL_PROBABILITY_MIN;
}

let compiled: CompiledModel | undefined;

function fitted(): CompiledModel {
  return (compiled ??= compileModel(SHELL_TREES, SHELL_FEATURES));
}
