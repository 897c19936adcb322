// Finds the lists of records on a page, best first.
import type { PageTree } from '../html/tree.ts';
import { type Cluster, findClusters } from './clusters.ts';
import { type Features, featuresOf } from './features.ts';
import { scoreOf } from './score.ts';
import { Shapes } from './shape.ts';
import { surveyPage } from './survey.ts';

export interface Ranked {
  readonly cluster: Cluster;
  readonly features: Features;
  readonly score: number;
}

export function rankClusters(tree: PageTree): Ranked[] {
  const survey = surveyPage(tree);
  const shapes = new Shapes();
  return findClusters(survey, shapes)
    .map((cluster) => {
      const features = featuresOf(cluster, survey, shapes);
      return { cluster, features, score: scoreOf(features) };
    })
    .toSorted((a, b) => b.score - a.score);
}
