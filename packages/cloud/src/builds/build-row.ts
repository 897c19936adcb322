// Builds of accounts as they are kept.
import type { NewWorkflow, PublishableWorkflow } from '@weft/contract';
import type { BuildResult, BuiltFunction, KeptBuildHealth, Ladder } from '@weft/engine';
import type { Database } from '../db/queries.ts';

/** What a build was asked for. */
export interface AskedBuild {
  readonly url: string;
  /** Empty for a discovery without one. */
  readonly objective: string;
  readonly isDiscovery: boolean;
  readonly respectRobots: boolean;
  readonly aiSupervise: boolean;
  /** Under which what is proved is published. */
  readonly slug?: string;
}

/** A function that was published, or why it was not. */
export interface PublishedPart {
  readonly function: string;
  readonly path?: string;
  readonly reason?: string;
}

/** A row of `build`. */
export interface BuildRow {
  readonly number: number;
  readonly account_id: string;
  readonly asked: AskedBuild;
  readonly ladder: Ladder;
  readonly result: Omit<BuildResult, 'ladder'> | null;
  readonly hold_id: string;
  readonly budget: number;
  readonly charged: number;
  readonly is_live: boolean;
  readonly published: readonly PublishedPart[] | null;
  /** Between two proofs of what is published; null: never. */
  readonly check_hours: number | null;
  readonly check_at: Date | null;
  readonly health: KeptBuildHealth | null;
  /** The number of the build whose options it has. */
  readonly rebuild_of: number | null;
  readonly proposal: 'accepted' | 'declined' | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** What a build is charged for. */
export const BUILD_OPERATION = 'cloudBuilds.start';

/** Proving functions of a build again. */
export const CHECK_OPERATION = 'accountBuilds.check';

/** The functions of a build that are published, with their paths. */
export function publishedFunctions({ result, published }: Pick<BuildRow, 'result' | 'published'>): readonly PublishedFunction[] {
  return (published ?? []).flatMap(({ function: name, path }) => {
    const built = result?.functions.find((each) => each.name === name);
    return built && path !== undefined ? [{ built, path }] : [];
  });
}

/** A function that was published. */
export interface PublishedFunction {
  readonly built: BuiltFunction;
  readonly path: string;
}

/** What of a workflow is published. */
export function publishable({ slug: _slug, concurrency: _concurrency, expose: _expose, ...workflow }: NewWorkflow): PublishableWorkflow {
  return workflow;
}

/** What notices say of a build. */
export function toldOf({ asked, ladder }: Pick<BuildRow, 'asked' | 'ladder'>) {
  return { ladder, url: asked.url, objective: asked.objective };
}

/** Gives the rungs of a build their ids; those that have theirs stay. */
export async function keepRungs(
  { rows }: Pick<Database, 'rows'>,
  build: Pick<BuildRow, 'number' | 'account_id'>,
  ladder: Ladder,
): Promise<void> {
  await rows(
    'INSERT INTO build_rung (build_id, build, account_id) SELECT id, $2, $3 FROM unnest($1::text[]) AS id ON CONFLICT DO NOTHING',
    [ladder.map(({ buildId }) => buildId), build.number, build.account_id],
  );
}
