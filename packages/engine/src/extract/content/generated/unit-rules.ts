// How much the judges must doubt a unit for it to go. bench/quality/fit-unit-rules.ts holds these against none and against what it fits:
// F1 of pages and articles, blocks of units lost in 1,000, and what that is worth, on sites held out. What it fits is worth no more on average.
// fold 0 held out: without pages 0.8810, articles 0.9419, lost 0.00, worth 0.9114 | in use pages 0.8866, articles 0.9608, lost 0.08, worth 0.9236 | fitted pages 0.8869, articles 0.9608, lost 0.16, worth 0.9237
// fold 1 held out: without pages 0.8581, articles 0.9486, lost 0.00, worth 0.9034 | in use pages 0.8615, articles 0.9549, lost 0.00, worth 0.9082 | fitted pages 0.8619, articles 0.9533, lost 0.20, worth 0.9074
// fold 2 held out: without pages 0.8522, articles 0.9676, lost 0.75, worth 0.9092 | in use pages 0.8545, articles 0.9759, lost 0.75, worth 0.9144 | fitted pages 0.8525, articles 0.9757, lost 1.25, worth 0.9129
// all: without pages 0.8643, articles 0.9531, lost 0.20, worth 0.9085 | in use pages 0.8682, articles 0.9634, lost 0.23, worth 0.9156 | fitted pages 0.8680, articles 0.9653, lost 0.46, worth 0.9162
import type { UnitRules } from '../structure.ts';

export const UNIT_RULES: UnitRules = {
  floors: { article: 0.4, forum: 0.45, product: 0.4, collection: 0.3 },
  floorMin: 0.1,
  typeSure: 0.5,
  vagueMax: 0.2,
};
