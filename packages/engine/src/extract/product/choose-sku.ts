// Chooses the article number of the product among stated and found ones, by fitted weights.
import { compileModel, scoreRow, sigmoid } from '../content/trees.ts';
import type { ProductEvidence } from './evidence.ts';
import { SKU_ANSWER_MIN, SKU_WEIGHTS } from './generated/sku-weights.ts';
import type { SkuCandidate } from './sku-features.ts';
import { SKU_FEATURES } from './sku-features.ts';

const model = compileModel(SKU_WEIGHTS, SKU_FEATURES);

/** The shop's number of the product; undefined where none is likely enough. */
export function chooseSku(candidates: readonly SkuCandidate[]): ProductEvidence | undefined {
  const scores = candidates.map(({ row }) => sigmoid(scoreRow(model, row)));
  const at = scores.indexOf(Math.max(...scores));
  const best = (scores[at] ?? 0) >= SKU_ANSWER_MIN ? candidates[at] : undefined;
  return best && { field: 'sku', source: best.source, raw: best.sku };
}
