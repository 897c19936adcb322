import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileModel, scoreRow, sigmoid } from '../../packages/engine/src/extract/content/trees.ts';
import type { BoostOptions, Samples } from './boosting.ts';
import { averageModels, boost, seeded } from './boosting.ts';

const NAMES = ['inside', 'noise'];
const OPTIONS: BoostOptions = { trees: 20, leaves: 4, rate: 0.3, leafWeightMin: 1, lambda: 1, rowShare: 0.8, featureShare: 1 };

/** Rows whose target is 1 where the first feature lies between a third and two thirds. */
function bandSamples(): Samples {
  const random = seeded(3);
  const rows = Array.from({ length: 600 }, () => Float32Array.of(random(), random()));
  return { rows, labels: Float32Array.from(rows, ([x = 0]) => (x > 1 / 3 && x < 2 / 3 ? 1 : 0)), weights: new Float32Array(600).fill(1) };
}

const probability = (model: ReturnType<typeof boost>, x: number) => sigmoid(scoreRow(compileModel(model, NAMES), Float32Array.of(x, 0.5)));

test('learns a band that no single threshold can tell', () => {
  const model = boost(bandSamples(), NAMES, OPTIONS);
  assert.ok(probability(model, 0.5) > 0.9);
  assert.ok(probability(model, 0.1) < 0.1);
  assert.ok(probability(model, 0.9) < 0.1);
});

test('gives the same trees for the same seed and others for another', () => {
  const model = boost(bandSamples(), NAMES, OPTIONS);
  assert.deepEqual(boost(bandSamples(), NAMES, OPTIONS), model);
  assert.notDeepEqual(boost(bandSamples(), NAMES, { ...OPTIONS, seed: 8 }), model);
});

test('averages models to the mean of their scores', () => {
  const models = [7, 8].map((seed) => boost(bandSamples(), NAMES, { ...OPTIONS, seed }));
  const row = Float32Array.of(0.4, 0.2);
  const scores = models.map((model) => scoreRow(compileModel(model, NAMES), row));
  const mean = scores.reduce((sum, score) => sum + score, 0) / 2;
  assert.ok(Math.abs(scoreRow(compileModel(averageModels(models), NAMES), row) - mean) < 0.01);
});

test('leaves out rows that weigh nothing', () => {
  const { rows, labels, weights } = bandSamples();
  const halved = weights.map((weight, i) => (i % 2 === 0 ? weight : 0));
  const flipped = labels.map((label, i) => (i % 2 === 0 ? label : 1 - label));
  assert.ok(probability(boost({ rows, labels: flipped, weights: halved }, NAMES, OPTIONS), 0.5) > 0.9);
});
