// How much the judges must doubt a unit for it to go. bench/quality/content/fit-unit-rules.ts holds these against none and against what it fits;
// the floors were chosen when it fitted them alone. Beside them, on sites held out, F1 of pages and articles, blocks of manuals lost in 1,000,
// words of chrome in 100, and what that is worth, over all and by fold:
// without looseMin: pages 0.8688, articles 0.9629, lost 49.34, chrome 7.66, worth 0.8589; folds 0.8814 0.8359 0.8626
// in use:           pages 0.8688, articles 0.9629, lost 43.27, chrome 7.93, worth 0.8647; folds 0.8838 0.8377 0.8758
import type { UnitRules } from '../structure.ts';

export const UNIT_RULES: UnitRules = {
  floors: { article: 0.4, forum: 0.45, product: 0.4, collection: 0.3 },
  floorMin: 0.1,
  typeSure: 0.5,
  vagueMax: 0.2,
  kindredMin: 0.5,
  looseMin: { documentation: 0.1 },
  manualMin: 0.25,
};
