import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Choice, ChoiceOptions } from './choices.ts';
import { answers, bestAnswerMin, crossChoose, fitChooser, foldOf, scoreAnswers } from './choices.ts';

const OPTIONS: ChoiceOptions = {
  trees: 20,
  leaves: 4,
  rate: 0.3,
  leafWeightMin: 1,
  lambda: 1,
  rowShare: 1,
  featureShare: 1,
  seeds: [1],
  weights: { own: 1 },
};

/** The right value has the larger first feature; the second says nothing. */
const choice = (i: number): Choice => ({
  set: 'own',
  id: `${i}`,
  host: `host${i % 20}`,
  rows: [Float32Array.of(0.2, i % 7), Float32Array.of(0.8, i % 5)],
  values: ['wrong', 'right'],
  truth: ['right'],
});
const CHOICES = Array.from({ length: 60 }, (_, i) => choice(i));

describe('choosing', () => {
  it('finds what tells right from wrong on hosts that taught nothing', () => {
    const given = crossChoose(CHOICES, ['size', 'noise'], OPTIONS);
    assert.equal(given.length, CHOICES.length);
    assert.equal(scoreAnswers(given, bestAnswerMin(given)).f1, 1);
  });

  it('learns nothing from a set without a weight', () => {
    const misled = CHOICES.map((each) => ({ ...each, set: 'other', truth: ['wrong'] }));
    const model = fitChooser([...CHOICES, ...misled], ['size', 'noise'], OPTIONS);
    assert.deepEqual(new Set(answers(CHOICES, model).map(({ said }) => said)), new Set(['right']));
  });

  it('counts a wrong value twice, and a value where none is as one too many', () => {
    const given = [
      { choice: choice(0), said: 'right', probability: 0.9 },
      { choice: choice(1), said: 'wrong', probability: 0.9 },
      { choice: { ...choice(2), truth: [] }, said: 'right', probability: 0.9 },
      { choice: choice(3), said: 'right', probability: 0.1 },
    ];
    const { precision, recall } = scoreAnswers(given, 0.5);
    assert.deepEqual([precision, recall], [1 / 3, 1 / 3]);
  });

  it('draws the folds by host, anew in each round', () => {
    assert.equal(foldOf('shop.test', 0), foldOf('shop.test', 0));
    const rounds = new Set(Array.from({ length: 20 }, (_, round) => foldOf('shop.test', round)));
    assert.ok(rounds.size > 1);
  });
});
